import LocationCore

extension TargetScheme {
    private static let nmeaPort: UInt16 = 10110

    /// NMEA 0183 in datagrams, and for programs that connect.
    static let nmea = [
        TargetScheme(
            "udp", form: "HOST[:10110]", summary: "NMEA 0183 in datagrams, for chart plotters"
        ) { parts throws(TargetWordError) in
            try parts.requireNoPath()
            return { _ throws(TargetFault) in
                .datagrams(host: parts.host, port: parts.port ?? nmeaPort, NMEATarget())
            }
        },
        TargetScheme(
            "tcp-listen", form: "[ADDRESS][:10110]", summary: "NMEA 0183 for programs that connect",
            allowsEmptyHost: true
        ) { parts throws(TargetWordError) in
            try parts.requireNoPath()
            return { _ throws(TargetFault) in
                .listener(
                    address: parts.host.isEmpty ? nil : parts.host, port: parts.port ?? nmeaPort, NMEATarget())
            }
        },
    ]
}

/// An encoder of records as NMEA 0183, for chart plotters: GGA and RMC, each in a datagram of its own.
package struct NMEATarget: StreamTarget, Hashable {
    /// The maximum number of bytes of a sentence, its line end included.
    private static let lengthLimit = 82

    /// Creates an encoder.
    package init() {}

    /// Returns the sentences of a record.
    ///
    /// After a loss they are void, or a chart would keep the last position. Events at fences have no sentences.
    package func datagrams(for record: PublishRecord) -> [[UInt8]] {
        if case .fence = record.occasion { return [] }
        guard record.occasion != .lost, let location = record.location else {
            let lost = NMEAPosition(time: record.created)
            return [NMEASentence.gga(lost).bytes, NMEASentence.rmc(lost).bytes]
        }
        var position = NMEAPosition(location, used: record.satellitesUsed, hdop: nil)
        // With these the sentences can be too long.
        position.dgpsAge = nil
        position.dgpsStation = nil
        position.magneticVariation = nil
        position.speed = location.plausibleSpeed
        position.course = location.plausibleCourse
        return [
            Self.shortened(position, [\.geoidSeparation, \.altitude]) { .gga($0) },
            Self.shortened(position, [\.course, \.speed]) { .rmc($0) },
        ]
    }

    /// Returns a sentence without as many of the values as make it too long.
    private static func shortened(
        _ position: NMEAPosition, _ values: [WritableKeyPath<NMEAPosition, Double?>],
        _ sentence: (NMEAPosition) -> NMEASentence
    ) -> [UInt8] {
        var position = position
        var bytes = sentence(position).bytes
        for value in values where bytes.count > lengthLimit {
            position[keyPath: value] = nil
            bytes = sentence(position).bytes
        }
        return bytes
    }
}
