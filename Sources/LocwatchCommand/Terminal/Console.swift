import LocwatchPlatform

/// The standard output and standard error of a command, and the line on the terminal that is rewritten in place.
///
/// Whatever is written through a console takes that line off the screen first, so that the two never mix.
final class Console {
    /// The descriptor for data.
    let output: Int32
    /// The descriptor for messages.
    let error: Int32
    private let environment: [String: String]
    /// The width of both streams, if it is given and not a terminal's.
    private let givenColumns: Int?
    private var isLineShown = false

    /// A console, by default the program's own.
    init(output: Int32 = 1, error: Int32 = 2, environment: [String: String], columns: Int? = nil) {
        givenColumns = columns
        self.output = output
        self.error = error
        self.environment = environment
    }

    /// Whether data go to a terminal.
    var outputIsTerminal: Bool { Terminal.isShown(on: output) }

    /// Whether a line can be rewritten in place on the terminal of one of the descriptors.
    func canRewrite(_ descriptor: Int32) -> Bool { Terminal.isShown(on: descriptor) && environment["TERM"] != "dumb" }

    /// The columns of the terminal for messages.
    var columns: Int { givenColumns ?? Terminal.size(of: error).columns }

    /// The columns that text for people on standard output may have.
    var outputColumns: Int {
        givenColumns ?? (outputIsTerminal ? Terminal.size(of: output).columns : TextStyle.usualColumns)
    }

    /// Writes a message, on a terminal in lines that fit it; answers with what went wrong, if anything did.
    @discardableResult
    func say(_ text: String) -> OutputFailure? {
        wipe()
        // Scripts search messages, which are whole lines for them.
        guard givenColumns != nil || Terminal.isShown(on: error) else { return write(text, to: error) }
        return write(Paragraph.wrapped(text, indent: "locwatch: ".count, width: columns), to: error)
    }

    /// Writes data that nothing else buffers.
    func print(_ text: String) throws(OutputFailure) {
        wipe()
        if let failure = write(text, to: output) { throw failure }
    }

    /// Writes the line on the terminal anew.
    func show(line: String) {
        _ = write("\r\(line)\u{1B}[K", to: error)
        isLineShown = true
    }

    /// Takes the line off the screen.
    func wipe() {
        guard isLineShown else { return }
        _ = write("\r\u{1B}[K", to: error)
        isLineShown = false
    }

    private func write(_ text: String, to descriptor: Int32) -> OutputFailure? {
        var text = text
        return text.withUTF8 { WholeWrite.write(UnsafeRawBufferPointer($0), to: descriptor) }
            .map { OutputFailure(errno: $0) }
    }
}
