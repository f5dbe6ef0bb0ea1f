import LocationCore

/// A converter of a track into lines of gpsd's JSON, while it is read, so that it is a session like any other.
///
/// Each point is a `TPV`, after a `SKY` if it has figures of the satellites. The end of a segment is a `TPV` without
/// a fix.
package final class TrackLines {
    private let writer = Lines()
    private let reader: TrackReader

    /// The lines that have not been taken.
    private final class Lines {
        var writer = GPSDJSONWriter(TrackFormat.Options())
        var bytes: [UInt8] = []

        init() { writer.repeatsSkies = true }

        func append(_ element: ReadElement) {
            switch element {
            case .point(let point) where point.location.fix == .none:
                guard let time = point.location.timestamp else { return }
                writer.loss(at: time, of: point.location.device, to: &bytes)
            case .point(let point): writer.append(point, to: &bytes)
            case .gap(let time, let device): writer.loss(at: time, of: device, to: &bytes)
            case .message(let text):
                bytes.append("{\"class\":\"LOCWATCH\",\"message\":")
                bytes.append(json: text)
                bytes.append("}\n")
            }
        }
    }

    /// Creates a converter; see `TrackReader`.
    package init(_ kind: TrackKind, times: TimelessPoints) throws(TrackFault) {
        let lines = writer
        reader = try TrackReader(kind, times: times) { lines.append($0) }
    }

    /// Reads the next bytes of the file and appends the lines that follow from them; an empty piece ends the file.
    package func convert(_ piece: UnsafeRawBufferPointer, to lines: inout [UInt8]) throws(TrackFault) {
        defer {
            lines.append(contentsOf: writer.bytes)
            writer.bytes.removeAll(keepingCapacity: true)
        }
        try reader.read(piece)
    }
}
