import LocationCore
import LocationRecordings
import LocwatchSupport

/// The conversion of the file of a track into updates, while it is read.
final class TrackConversion: RecordingConversion {
    /// The updates of the elements that the reader emits.
    private final class Target {
        var converter = TrackUpdates()
        var includesLines = false
        var updates = ReusedQueue<LocationUpdate>()

        func process(_ element: ReadElement) {
            converter.process(element, includesLines: includesLines, into: &updates)
        }
    }

    private let reader: TrackReader
    private let target: Target

    /// Creates a conversion; `name` is that of the file in errors.
    init(_ kind: TrackKind, times: TimelessPoints, name: String) throws(LocationError) {
        let target = Target()
        self.target = target
        reader = try TrackReader(kind, of: name, times: times, emit: target.process)
    }

    var hasMore: Bool { reader.hasMore }

    func convert(
        _ piece: UnsafeRawBufferPointer, includesLines: Bool, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        target.includesLines = includesLines
        swap(&updates, &target.updates)
        defer { swap(&updates, &target.updates) }
        try reader.read(piece)
    }

    func resume(
        includesLines: Bool, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        target.includesLines = includesLines
        swap(&updates, &target.updates)
        defer { swap(&updates, &target.updates) }
        try reader.resume()
    }
}
