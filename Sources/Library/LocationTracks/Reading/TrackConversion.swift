import LocationCore
import GPSDProtocol
import LocwatchSupport

/// The conversion of the file of a track into updates, while it is read.
final class TrackConversion: RecordingConversion {
    /// The updates of the elements that the reader emits.
    private final class Target {
        var converter = TrackUpdates()
        var interpolation: PointInterpolation
        var includesLines = false
        var updates = ReusedQueue<LocationUpdate>()
        /// The fault of the file, which follows the positions before it.
        var failure: LocationError?

        init(_ interpolation: PointInterpolation) { self.interpolation = interpolation }

        func process(_ element: ReadElement) { interpolation.append(element) }

        /// Appends the updates of some elements.
        func emit() throws(LocationError) {
            for _ in 0..<TrackConversion.elementsPerStep {
                guard let element = interpolation.next() else {
                    if let failure = failure.take() { throw failure }
                    return
                }
                converter.process(element, includesLines: includesLines, into: &updates)
            }
        }
    }

    /// The number of elements of a step: two points can be a day apart, with as many positions between them as that has seconds.
    private static let elementsPerStep = 4096

    private let reader: TrackReader
    private let target: Target

    /// Creates a conversion; `name` is that of the file in errors.
    init(
        _ kind: TrackKind, times: TimelessPoints, every interval: Duration? = nil, name: String
    ) throws(LocationError) {
        let target = Target(PointInterpolation(every: interval))
        self.target = target
        reader = try TrackReader(kind, of: name, times: times, emit: target.process)
    }

    var hasMore: Bool { target.interpolation.hasMore || target.failure != nil || reader.hasMore }

    func convert(
        _ piece: UnsafeRawBufferPointer, includesLines: Bool, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        target.includesLines = includesLines
        swap(&updates, &target.updates)
        defer { swap(&updates, &target.updates) }
        read { () throws(LocationError) in try reader.read(piece) }
        if piece.isEmpty { target.interpolation.finish() }
        try target.emit()
    }

    func resume(
        includesLines: Bool, into updates: inout ReusedQueue<LocationUpdate>
    ) throws(LocationError) {
        target.includesLines = includesLines
        swap(&updates, &target.updates)
        defer { swap(&updates, &target.updates) }
        if !target.interpolation.hasMore, reader.hasMore { read(reader.resume) }
        try target.emit()
    }

    /// Reads elements, and notes a fault, which ends the track after them.
    private func read(_ body: () throws(LocationError) -> Void) {
        do throws(LocationError) { try body() } catch { target.failure = target.failure ?? error }
    }
}
