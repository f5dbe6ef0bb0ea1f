package import LocationCore

/// Reads a recording piece by piece, and tells early that it is none: however much of it there is, it holds no report.
package struct RecordingReader: Sendable {
    /// How much is read of something that is no session before that is said.
    private static let patience = (lines: 200, bytes: 1 << 20)

    /// What messages call the recording.
    private let name: String
    private var reader = SessionReader(timing: .recorded)
    private var byteCount = 0

    /// A recording of which nothing has been read yet.
    package init(name: String) {
        self.name = name
    }

    /// Reads the next piece, and throws once what has come by then is no session; an empty one is the recording's end.
    package mutating func read(
        _ piece: UnsafeRawBufferPointer, _ tell: (LocationUpdate) -> Void
    ) throws(LocationError) {
        if piece.isEmpty { reader.finish(tell) } else { reader.read(piece, tell) }
        byteCount += piece.count
        guard reader.reportCount == 0,
            piece.isEmpty || reader.lineCount > Self.patience.lines || byteCount > Self.patience.bytes
        else { return }
        let fault = reader.firstFault
        throw .notASession(path: name, line: fault?.line ?? 0, cause: fault?.cause ?? "there is no report in it")
    }
}
