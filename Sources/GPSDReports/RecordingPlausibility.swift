package import LocationCore

/// Tells early that something is no recorded session: however much of it there is, it holds no report.
package struct RecordingPlausibility: Hashable, Sendable {
    /// How much is read of something that is no session before that is said.
    private static let patience = (lines: 200, bytes: 1 << 20)

    private var byteCount = 0

    /// A check of which nothing has been read yet.
    package init() {}

    /// Throws when what `reader` has read by now, the last `bytes` of it just before, is no session.
    package mutating func check(
        _ reader: SessionReader, bytes: Int, hasEnded: Bool, name: String
    ) throws(LocationError) {
        byteCount += bytes
        guard reader.reportCount == 0,
            hasEnded || reader.lineCount > Self.patience.lines || byteCount > Self.patience.bytes
        else { return }
        let fault = reader.firstFault
        throw .notASession(path: name, line: fault?.line ?? 0, cause: fault?.cause ?? "there is no report in it")
    }
}
