package import LocwatchTerminal

/// A format of the lines of a session: its printer, and what it can carry.
///
/// A new format is one file, with the printer and the value of the format, and the option in `OptionTable` that selects it.
package struct OutputFormat: Sendable {
    /// The contents that a format can carry besides positions and changes of state.
    package struct FormatContent: OptionSet {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Every event of a search, because a program chooses what it needs.
        package static let everyEvent = FormatContent(rawValue: 1)
        /// Each failure and each notice with all that is known, so that standard error repeats none of them.
        package static let diagnostics = FormatContent(rawValue: 2)
        /// Objects of any kind, such as statistics and findings; other formats have no lines for them.
        package static let objects = FormatContent(rawValue: 4)
        /// Messages for people: failures on a terminal, and with `--verbose` each step.
        package static let messages = FormatContent(rawValue: 8)
        /// The columns that `--columns` selects.
        package static let columns = FormatContent(rawValue: 16)
        /// The figures of the satellites, even if `--sky` does not ask for them.
        package static let signals = FormatContent(rawValue: 32)
        package static let positionsOnly = FormatContent(rawValue: 64)
        /// The distance of the session.
        package static let distance = FormatContent(rawValue: 128)
    }

    package typealias MakePrinter = @Sendable (Settings, TextStyle, LocalTime) -> any EventPrinter

    /// The option that selects the format, as in `--format waybar`.
    let option: String
    private let content: FormatContent
    /// The names of the fences that the format shows.
    package let fences: [String]
    let printer: MakePrinter

    package init(
        _ option: String, carrying content: FormatContent = [], fences: [String] = [], printer: @escaping MakePrinter
    ) {
        self.option = option
        self.fences = fences
        self.content = content
        self.printer = printer
    }

    package func carries(_ content: FormatContent) -> Bool { self.content.contains(content) }
}

extension OutputFormat: Hashable {
    /// An option selects one format, so equal options mean equal formats.
    package static func == (left: OutputFormat, right: OutputFormat) -> Bool { left.option == right.option }

    package func hash(into hasher: inout Hasher) { hasher.combine(option) }
}
