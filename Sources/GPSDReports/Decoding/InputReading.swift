/// The way in which a recording is read.
package struct InputReading: Hashable, Sendable {
    /// Whether the input is a receiver's log, whatever its first bytes look like.
    package var isLog = false
    /// Whether to wait for more at the end of a file, as `tail -f` does.
    package var follows = false

    /// Creates the default: the format is recognized, and the session ends with the file.
    package init() {}
}
