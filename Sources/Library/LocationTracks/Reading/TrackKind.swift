import LocwatchPlatform

/// The kind of a file that can be read as a track.
package enum TrackKind: Hashable, Sendable {
    /// GPX, KML or TCX, which the first element tells.
    case xml
    case geojson
    case csv
    case igc

    /// The endings of the names of tracks.
    package static let endings = [".gpx", ".kml", ".geojson", ".tcx", ".igc", ".csv"]

    /// Returns the kind of a file from its beginning, or `nil` if it is not a track.
    package init?(beginning: UnsafeRawBufferPointer, name: String) {
        switch Self.recognize(beginning, name: name) {
        case .track(let kind): self = kind
        case .undecided, .other: return nil
        }
    }

    /// The result of looking at the beginning of a file.
    package enum Recognition: Hashable, Sendable {
        case track(TrackKind)
        /// The beginning is too short to tell.
        case undecided
        case other
    }

    /// The mark of UTF-8, with which some programs begin a text.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns what the beginning of a file tells about it; the ending of its name decides about JSON.
    package static func recognize(_ beginning: UnsafeRawBufferPointer, name: String) -> Recognition {
        if let utf16 = recognize(utf16: beginning) { return utf16 }
        if mark.starts(with: beginning) { return .undecided }
        var rest = beginning[...]
        if rest.starts(with: mark) { rest = rest.dropFirst(3) }
        rest = rest.drop(while: TrackNumber.isSpace)
        switch rest.first {
        case UInt8(ascii: "<"): return .track(.xml)
        case UInt8(ascii: "{"): return recognize(json: rest.dropFirst(), name: name)
        case nil: return .undecided
        default:
            if CSVReader.recognizes(rest) { return .track(.csv) }
            return IGCReader.recognizes(rest) ? .track(.igc) : .other
        }
    }

    /// Returns whether a file is XML in UTF-16, with or without a mark, or `nil` if it is neither that nor the beginning of it.
    private static func recognize(utf16 beginning: UnsafeRawBufferPointer) -> Recognition? {
        for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF]] {
            func unit(_ byte: UInt8) -> [UInt8] { mark[0] == 0xFF ? [byte, 0] : [0, byte] }
            let sign = unit(UInt8(ascii: "<"))
            var rest = beginning[...]
            if rest.starts(with: mark) {
                rest = rest.dropFirst(2)
                let spaces = [0x20, 0x09, 0x0D, 0x0A].map(unit)
                while spaces.contains(where: { rest.starts(with: $0) }) { rest = rest.dropFirst(2) }
                if rest.count < 2 { return .undecided }
            }
            if rest.starts(with: sign) { return .track(.xml) }
            if [mark, sign].contains(where: { !beginning.isEmpty && $0.starts(with: beginning) }) { return .undecided }
        }
        return nil
    }

    private static func recognize(json: Slice<UnsafeRawBufferPointer>, name: String) -> Recognition {
        let rest = UnsafeRawBufferPointer(rebasing: json.drop(while: TrackNumber.isSpace))
        // Every line of gpsd begins with its class.
        let session = rest.range(of: #""class""#)
        if session?.lowerBound == 0 { return .other }
        if #""class""#.utf8.starts(with: rest) { return .undecided }
        let words: [StaticString] = [
            #""features""#, #""Feature""#, #""FeatureCollection""#, #""coordinates""#, #""geometry""#,
        ]
        if name.lowercased().hasSuffix(".geojson") || words.contains(where: { rest.range(of: $0) != nil }) {
            return .track(.geojson)
        }
        // A line of another program's log is complete at its end.
        return session != nil && rest.contains(UInt8(ascii: "\n")) ? .other : .undecided
    }

    /// Returns whether the name of a file has the ending of a track.
    static func isNamed(by name: String) -> Bool {
        endings.contains(where: name.lowercased().hasSuffix)
    }
}
