package import LocationCore

/// The limit of what a small input may become, so that a few megabytes cannot keep a command busy for minutes.
///
/// Only a compressed input can reach it: a recording shrinks to a tenth or a twentieth, but zeros to a ten-thousandth.
/// A report counts as more bytes than its text, because a track can have a point in five bytes.
package struct InputExpansion: Hashable, Sendable {
    /// The number of bytes that any input may become.
    var floor = 256 << 20
    /// The same for the log of a receiver, of which gpsd decodes some twenty megabytes a second.
    var floorOfLog = 32 << 20
    /// The number of bytes that each byte of the input may become.
    static let ratio = 24
    /// The number of bytes that a report counts in addition to its text.
    static let report = 100

    /// Whether a number of bytes is more than an input of `source` bytes may become.
    func isExceeded(by bytes: Int, from source: Int, isLog: Bool = false) -> Bool {
        bytes > max(isLog ? floorOfLog : floor, Self.ratio * source)
    }

    /// Returns the error for an input that becomes too much.
    package static func error(named name: String) -> LocationError {
        .damaged(
            path: name,
            cause: "it expands to more than \(ratio) times its size, as no recording does; "
                + "if you trust it, decompress it first")
    }
}
