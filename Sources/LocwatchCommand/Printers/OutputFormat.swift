/// A format of the lines of a session: its printer, and what it can carry.
///
/// A new format is one file, with the printer and the value of the format, and the option in `OptionTable` that selects it.
struct OutputFormat: Sendable {
    /// The contents that a format can carry besides positions and changes of state.
    struct Content: OptionSet {
        let rawValue: UInt8
        /// Every report of an epoch or of a search, because a program can merge them.
        static let everyReport = Content(rawValue: 1)
        /// Each failure and each notice with all that is known, so that standard error repeats none of them.
        static let diagnostics = Content(rawValue: 2)
        /// Objects of any kind, such as statistics and findings; other formats have no lines for them.
        static let objects = Content(rawValue: 4)
        /// Messages for people: failures on a terminal, and with `--verbose` each step.
        static let messages = Content(rawValue: 8)
        /// The columns that `--columns` selects.
        static let columns = Content(rawValue: 16)
        /// The figures of the satellites, even if `--sky` does not ask for them.
        static let signals = Content(rawValue: 32)
    }

    /// Creates the printer of a session.
    typealias MakePrinter = @Sendable (Settings, EventSelection, TextStyle, LocalTime) -> any EventPrinter

    /// The option that selects the format, as in `--format waybar`.
    let option: String
    private let content: Content
    let printer: MakePrinter

    init(_ option: String, carrying content: Content = [], printer: @escaping MakePrinter) {
        self.option = option
        self.content = content
        self.printer = printer
    }

    /// Returns whether the format can carry something.
    func carries(_ content: Content) -> Bool { self.content.contains(content) }
}

extension OutputFormat: Hashable {
    /// An option selects one format, so equal options mean equal formats.
    static func == (left: OutputFormat, right: OutputFormat) -> Bool { left.option == right.option }

    func hash(into hasher: inout Hasher) { hasher.combine(option) }
}
