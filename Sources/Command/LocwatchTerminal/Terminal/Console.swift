import Glibc
import LocationCore
package import LocwatchPlatform

/// The standard output and standard error of a command, and a terminal line that is rewritten in place.
///
/// Every write through a console first erases that line, so that the two never mix.
package final class Console {
    /// The descriptor for data.
    package let output: Int32
    /// The descriptor for messages.
    package let error: Int32
    private let environment: [String: String]
    /// Whether standard error leads to the journal.
    private let isInJournal: Bool
    /// The width of both streams that replaces the terminal's, if given.
    private let givenColumns: Int?
    /// The line that is rewritten in place, if it is shown.
    private var shownLine: String?
    private lazy var outputIsPipe = Terminal.isPipe(output)
    /// Whether a reader in a pipe has got data, which it may show on the same terminal at any time.
    private var hasFedReader = false
    /// The channel of everything on standard error during a live session, which waits for no reader.
    private var messages: OutputChannel?

    /// Creates a console, by default with the program's own descriptors.
    package init(output: Int32 = 1, error: Int32 = 2, environment: [String: String], columns: Int? = nil) {
        givenColumns = columns
        self.output = output
        self.error = error
        self.environment = environment
        isInJournal = JournalStream.isOn(error, environment)
    }

    package var outputIsTerminal: Bool { Terminal.isShown(on: output) }

    /// Whether people see standard output where they see messages: on a terminal, or in the same file, pipe or journal.
    package var outputIsWithMessages: Bool { outputIsTerminal || Terminal.isSame(output, error) }

    /// Returns whether a descriptor is a terminal that can rewrite a line in place.
    package func canRewrite(_ descriptor: Int32) -> Bool {
        Terminal.isShown(on: descriptor) && environment["TERM"] != "dumb"
    }

    /// The columns for messages on standard error.
    package var columns: Int { givenColumns ?? Terminal.size(of: error).columns }

    /// The columns for text for people on standard output, whose lines are neither shortened nor wrapped for a program that
    /// reads them.
    package var outputColumns: Int { terminalColumns ?? TextStyle.unlimitedColumns }

    /// The columns for pages and pictures on standard output.
    package var pageColumns: Int { terminalColumns ?? TextStyle.usualColumns }

    /// The columns of the terminal on standard output, if it is one.
    private var terminalColumns: Int? {
        givenColumns ?? (outputIsTerminal ? Terminal.size(of: output).columns : nil)
    }

    /// Writes a message, wrapped to the width of a terminal or with its level for the journal; returns the failure, if any.
    @discardableResult
    package func say(_ text: String, _ level: MessageLevel = .warning) -> OutputFailure? {
        wipe()
        if isInJournal { return writeMessage(JournalStream.text(text, level)) }
        // Scripts search messages, so each remains one line unless a terminal shows it.
        guard givenColumns != nil || Terminal.isShown(on: error) else { return writeMessage(text) }
        return writeMessage(Paragraph.wrapped(text, indent: "locwatch: ".count, width: columns))
    }

    /// Writes data directly, without a buffer.
    package func print(_ text: String) throws(OutputFailure) {
        beginOutput()
        if let failure = write(text, to: output) { throw failure }
    }

    /// Prepares for data on standard output.
    func beginOutput() {
        wipe()
        hasFedReader = hasFedReader || outputIsPipe
    }

    /// Rewrites the terminal line, unless it shows the same text, the terminal has not taken the last one, or the output of a
    /// reader would follow it.
    package func show(line: String) {
        guard line != shownLine, !hasFedReader, messages?.isBehind != true else { return }
        _ = writeMessage("\r\(line)\u{1B}[K")
        shownLine = line
    }

    /// Erases the terminal line.
    package func wipe() {
        guard shownLine != nil else { return }
        _ = writeMessage("\r\u{1B}[K")
        shownLine = nil
    }

    // MARK: A live session

    /// Lets messages wait for the reader of standard error from now on, so that a live session does not.
    package func beginLiveSession() {
        messages = OutputChannel(error, .live) { Array("locwatch: \($0.message)\n".utf8) }
    }

    /// Writes the messages that the reader takes.
    package func flushMessages() { update { (messages) throws(OutputFailure) in try messages.flush() } }

    /// Adds standard error to the loop's poll set if messages wait for room.
    package func addMessages(to set: inout PollSet) {
        if let messages, messages.isBehind { messages.addDescriptor(to: &set) }
    }

    /// Writes the messages that wait, and lets the following ones wait for their reader.
    package func endLiveSession() {
        update { (messages) throws(OutputFailure) in try messages.finish() }
        messages = nil
    }

    /// Changes the channel of the messages, if any, and gives it up if it fails.
    @discardableResult
    private func update(_ body: (OutputChannel) throws(OutputFailure) -> Void) -> OutputFailure? {
        guard let messages else { return nil }
        do throws(OutputFailure) { try body(messages) } catch {
            self.messages = nil
            return error
        }
        return nil
    }

    /// Writes to standard error, and returns the failure, if any.
    private func writeMessage(_ text: String) -> OutputFailure? {
        guard messages != nil else { return write(text, to: error) }
        return update { (messages) throws(OutputFailure) in
            try messages.put { $0.put(text) }
            try messages.flush()
        }
    }

    private func write(_ text: String, to descriptor: Int32) -> OutputFailure? {
        var text = text
        return text.withUTF8 { WholeWrite.write(UnsafeRawBufferPointer($0), to: descriptor) }
            .map { OutputFailure(errno: $0) }
    }
}

/// The importance of a message, with its number in the journal.
package enum MessageLevel: Int32 {
    case error = 3
    case warning = 4
    case information = 6
}

/// The connection of a service to systemd's journal in place of a stream.
enum JournalStream {
    /// Returns whether a descriptor is the connection to the journal that the environment names.
    static func isOn(_ descriptor: Int32, _ environment: [String: String]) -> Bool {
        guard let name = environment["JOURNAL_STREAM"] else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && name == "\(status.st_dev):\(status.st_ino)"
    }

    /// Returns a message with its level before each line, and without the name of the program, which the journal adds.
    static func text(_ message: String, _ level: MessageLevel) -> String {
        let name = "locwatch: "
        return message.split(separator: "\n").map { line in
            "<\(level.rawValue)>\(line.hasPrefix(name) ? line.dropFirst(name.count) : line)\n"
        }.joined()
    }
}
