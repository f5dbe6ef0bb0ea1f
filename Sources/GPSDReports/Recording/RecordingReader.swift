package import LocationCore

/// Reads a recording piece by piece, and tells early that it is none: however much of it there is, it holds no report.
package struct RecordingReader: Sendable {
    /// How much is read of something that is no session before that is said.
    private static let patience = (lines: 200, bytes: 1 << 20)

    /// What messages call the recording.
    private let name: String
    private var reader: SessionReader
    private var byteCount = 0
    /// What was told before the first report, as of lines that were skipped: nothing of it counts where none comes.
    private var held: [LocationUpdate] = []

    /// A recording of which nothing has been read yet.
    ///
    /// - Parameter includesLines: whether the lines come as events too.
    package init(name: String, includesLines: Bool = false) {
        self.name = name
        reader = SessionReader(timing: .recorded, includesLines: includesLines)
    }

    /// Reads the next piece, and throws once what has come by then is no session; an empty one is the recording's end.
    package mutating func read(
        _ piece: UnsafeRawBufferPointer, _ tell: (LocationUpdate) -> Void
    ) throws(LocationError) {
        if reader.reportCount > 0 { return take(piece[...], tell) }
        byteCount += piece.count
        var held: [LocationUpdate] = []
        swap(&held, &self.held)
        var rest = piece[...]
        // Line by line until there is a report, which usually is the first.
        repeat {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            take(rest[..<end]) { held.append($0) }
            rest = rest[end...]
        } while reader.reportCount == 0 && !rest.isEmpty
        if reader.reportCount > 0 {
            for update in held { tell(update) }
            if !rest.isEmpty { take(rest, tell) }
        } else {
            swap(&held, &self.held)
            try check(hasEnded: piece.isEmpty)
        }
    }

    /// Whether something waits for the recording's first time.
    package var isUndated: Bool { reader.isUndated }

    /// Lets the host's time pass while a recording that comes through a pipe tells none: nothing waits any longer.
    package mutating func pass(to moment: Moment, _ tell: (LocationUpdate) -> Void) {
        reader.pass(to: moment, tell)
    }

    private mutating func take(_ piece: Slice<UnsafeRawBufferPointer>, _ tell: (LocationUpdate) -> Void) {
        if piece.isEmpty { reader.finish(tell) } else { reader.read(UnsafeRawBufferPointer(rebasing: piece), tell) }
    }

    private func check(hasEnded: Bool) throws(LocationError) {
        guard hasEnded || reader.lineCount > Self.patience.lines || byteCount > Self.patience.bytes else { return }
        throw .noSession(named: name, fault: reader.firstFault, isEmpty: byteCount == 0)
    }
}

extension LocationError {
    /// The error of a recording without a report, for its first fault, where it has one.
    package static func noSession(
        named name: String, fault: (line: Int, cause: String)?, isEmpty: Bool
    ) -> LocationError {
        .notASession(
            path: name, line: fault?.line ?? 0,
            cause: fault?.cause ?? (isEmpty ? "it is empty" : "there is no report in it"))
    }
}
