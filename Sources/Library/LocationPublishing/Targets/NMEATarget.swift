package import LocationCore

extension TargetScheme {
    private static let nmeaPort: UInt16 = 10110

    /// NMEA 0183 in datagrams, for programs that connect, and for programs that open a path.
    static let nmea = [
        TargetScheme(
            "udp", form: "HOST[:10110]", summary: "NMEA 0183 in datagrams, for chart plotters",
            parameters: [.sentences]
        ) { parts throws(PublishError) in
            try parts.requireNoPath()
            return { target throws(PublishError) in
                .datagrams(host: parts.host, port: parts.port ?? nmeaPort, NMEATarget(parts.value(of: .sentences)))
            }
        },
        TargetScheme(
            "tcp-listen", form: "[ADDRESS][:10110]", summary: "NMEA 0183 for programs that connect",
            allowsEmptyHost: true, parameters: [.sentences]
        ) { parts throws(PublishError) in
            try parts.requireNoPath()
            return { target throws(PublishError) in
                .listener(
                    address: parts.host.isEmpty ? nil : parts.host, port: parts.port ?? nmeaPort,
                    NMEATarget(parts.value(of: .sentences)))
            }
        },
        atPath(
            "pty", .terminal, form: "PATH", "NMEA 0183 at a serial port in memory, for programs that know only a port"
        ),
        atPath("fifo", .pipe, form: "PATH[?mode=600]", "NMEA 0183 in a named pipe", "mode"),
        atPath(
            "unix-listen", .socket, form: "PATH[?mode=600]", "NMEA 0183 at a Unix socket, such as for GeoClue", "mode"),
    ]

    private static func atPath(
        _ name: String, _ kind: TargetEncoder.EncoderEntry, form: String, _ summary: String, _ parameters: String...
    ) -> TargetScheme {
        TargetScheme(name, path: form, summary: summary) { parts throws(PublishError) in
            try parts.requireParameters(parameters + [TargetParameter.sentences.name])
            let mode = try parts.mode()
            let sentences = try parts.value(of: .sentences)
            return { target throws(PublishError) in
                .path(target.path(parts.path), kind, mode: mode, NMEATarget(sentences))
            }
        }
    }
}

/// An encoder of records as NMEA 0183, for chart plotters and other programs: each sentence in a datagram of its own.
package struct NMEATarget: StreamTarget, Hashable {
    private let encoder: NMEAEncoder

    package init(_ types: Set<NMEASentenceType> = NMEASentenceType.usual) { encoder = NMEAEncoder(types) }

    /// Creates the encoder of the sentences that the parameter of a target names, or of the usual ones.
    init(_ parameter: String?) { self.init(parameter.flatMap(NMEASentenceType.types) ?? NMEASentenceType.usual) }

    package var needsSky: Bool { true }

    /// Returns the sentences of a record.
    ///
    /// After a loss they are void, or a chart would keep the last position. They have no time then, because that of the
    /// receiver is not known, and readers set clocks by it. Events at fences have no sentences.
    package func datagrams(for record: PublishRecord) -> [[UInt8]] {
        if case .fence = record.occasion { return [] }
        guard record.occasion != .lost, let location = record.location else { return encoder.void().map(\.bytes) }
        return encoder.sentences(
            location, used: record.satellitesUsed, satellites: record.sky?.satellites,
            dilution: record.sky?.dilution ?? DilutionOfPrecision()
        ).map(\.bytes)
    }
}
