/// A type of NMEA sentence that an epoch can have; the raw value is its name.
package enum NMEASentenceType: String, Hashable, Sendable, CaseIterable {
    // The order is that of an epoch: gpsbabel treats a GGA as the start of a point, and gpsd an RMC as its end.
    case gga = "GGA"
    case gsa = "GSA"
    case gsv = "GSV"
    case vtg = "VTG"
    case gll = "GLL"
    case gst = "GST"
    case zda = "ZDA"
    case hdt = "HDT"
    case hdm = "HDM"
    case rot = "ROT"
    case rmc = "RMC"

    /// The types that are sent if none are chosen.
    package static let usual = Set(allCases).subtracting([.gll])

    /// The types as the value of an option, such as `GGA,RMC`.
    package static func text(_ types: Set<Self>) -> String {
        allCases.filter(types.contains).map(\.rawValue).joined(separator: ",")
    }

    /// Returns the types whose names a text separates by commas, or `nil` if one is unknown or there twice.
    package static func types(in text: String) -> Set<Self>? {
        let names = text.uppercased().split(separator: ",", omittingEmptySubsequences: false)
        let types = Set(names.compactMap { Self(rawValue: String($0)) })
        return types.count == names.count ? types : nil
    }
}

/// The encoder of epochs as NMEA 0183, for live readers and for files.
///
/// A sentence has at most 82 bytes. An unknown value is an empty field, and a sentence without any value of its own is left
/// out: a GSV without a list of satellites, a GST without errors, a ZDA without a time, an HDT, HDM or ROT without a compass.
package struct NMEAEncoder: Hashable, Sendable {
    package var types: Set<NMEASentenceType>

    package init(_ types: Set<NMEASentenceType> = NMEASentenceType.usual) { self.types = types }

    /// Returns the sentences of a location; `used` satellites are in use, and `satellites` in view.
    package func sentences(
        _ location: Location, used: Int?, satellites: [Satellite]?, dilution: DilutionOfPrecision
    ) -> [NMEASentence] {
        sentences(
            NMEAPosition(location, used: used, hdop: dilution.horizontal), location.fix, satellites: satellites,
            dilution: dilution)
    }

    /// Returns the sentences of an epoch without a position, which tell readers that the last one is not current; they
    /// can set their own clocks by its time.
    package func void(at time: Timestamp? = nil) -> [NMEASentence] {
        sentences(NMEAPosition(time: time), .none, satellites: nil, dilution: DilutionOfPrecision())
    }

    /// Returns the sentences of an attitude that belongs to no position.
    package func sentences(_ attitude: Attitude) -> [NMEASentence] {
        var position = NMEAPosition()
        position.set(attitude)
        return NMEASentenceType.allCases.filter(types.contains).flatMap { Self.attitude($0, position, from: .gps) }
    }

    /// Returns the sentence of a type about the attitude, unless it has no value or the type is another.
    private static func attitude(
        _ type: NMEASentenceType, _ position: NMEAPosition, from talker: NMEATalker
    ) -> [NMEASentence] {
        switch type {
        case .hdt: position.heading == nil ? [] : [.hdt(position, from: talker)]
        case .hdm: position.headingMagnetic == nil ? [] : [.hdm(position, from: talker)]
        case .rot: position.rateOfTurn == nil ? [] : [.rot(position, from: talker)]
        case .gga, .gsa, .gsv, .vtg, .gll, .gst, .zda, .rmc: []
        }
    }

    private func sentences(
        _ position: NMEAPosition, _ fix: FixKind, satellites: [Satellite]?, dilution: DilutionOfPrecision
    ) -> [NMEASentence] {
        let talker = NMEATalker(ofUsed: satellites ?? [])
        return NMEASentenceType.allCases.filter(types.contains).flatMap { type -> [NMEASentence] in
            switch type {
            case .gga: [.gga(position, from: talker)]
            case .gsa:
                // gpsd 3.22 knows satellites in use of other systems only under the talker of several.
                NMEASentence.gsa(
                    fix, satellites: satellites ?? [], dilution: dilution, from: talker == .gps ? .gps : .combined)
            case .gsv: satellites.map(NMEASentence.gsv) ?? []
            case .vtg: [.vtg(position, from: talker)]
            case .gll: [.gll(position, from: talker)]
            case .gst: position.errors.isEmpty ? [] : [.gst(position, from: talker)]
            case .zda: position.time == nil ? [] : [.zda(position, from: talker)]
            case .hdt, .hdm, .rot: Self.attitude(type, position, from: talker)
            case .rmc: [.rmc(position, from: talker)]
            }
        }
    }
}
