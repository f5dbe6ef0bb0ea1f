/// The way in which a recording is read.
package struct InputReading: Sendable {
    /// Whether the input is a receiver's log, whatever its first bytes look like.
    package var isLog = false
    /// Whether the bytes are delivered as they are, whatever the format, once they are decompressed.
    package var isPlain = false
    /// Whether to wait for more at the end of a file, as `tail -f` does.
    package var follows = false
    /// The decoder of raw logs, or `nil` if they are refused.
    package var logDecoder: (any LogDecoder)?
    /// The recognizer of files of other formats, such as tracks, if they are read too.
    package var recognizer: RecordingRecognizer?

    /// The limit of what a compressed input may become, both of its decompressed bytes and of what is made of them.
    var expansion = InputExpansion()

    /// Creates the default: the format is recognized, and the session ends with the file.
    package init() {}
}
