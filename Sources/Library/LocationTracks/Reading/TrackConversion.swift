import LocationCore
import LocationRecordings

/// The conversion of the file of a track into updates, while it is read.
final class TrackConversion: RecordingConversion {
    /// The target of the reader's elements during a call of `convert`.
    private final class Target { var process: ((ReadElement) -> Void)? }

    private let reader: TrackReader
    private let target: Target
    private var updates = TrackUpdates()

    /// Creates a conversion; `name` is that of the file in errors.
    init(_ kind: TrackKind, times: TimelessPoints, name: String) throws(LocationError) {
        let target = Target()
        self.target = target
        reader = try TrackReader(kind, of: name, times: times) { target.process?($0) }
    }

    var hasMore: Bool { reader.hasMore }

    func convert(
        _ piece: UnsafeRawBufferPointer, includesLines: Bool, emit: (LocationUpdate) -> Void
    ) throws(LocationError) {
        try perform(includesLines, emit) { (reader) throws(LocationError) in try reader.read(piece) }
    }

    func resume(includesLines: Bool, emit: (LocationUpdate) -> Void) throws(LocationError) {
        try perform(includesLines, emit) { (reader) throws(LocationError) in try reader.resume() }
    }

    private func perform(
        _ includesLines: Bool, _ emit: (LocationUpdate) -> Void, _ step: (TrackReader) throws(LocationError) -> Void
    ) throws(LocationError) {
        let result = withoutActuallyEscaping(emit) { emit in
            target.process = { [unowned self] in updates.process($0, includesLines: includesLines, emit) }
            defer { target.process = nil }
            return Result { () throws(LocationError) in try step(reader) }
        }
        try result.get()
    }
}
