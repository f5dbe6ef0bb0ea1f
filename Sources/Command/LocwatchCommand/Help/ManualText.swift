import CLocwatchResources
import LocwatchSession

/// The text of the manual page, from the files of the folder Manual.
///
/// The text consists of blocks with empty lines between them:
/// - `# TITLE` begins a section, and `#- TITLE` one that only the help has,
/// - `= TERM` is a term, or terms with commas between them, whose meaning is on the following lines,
/// - `1. TEXT` is a step,
/// - lines that begin with four spaces are an example, which is not filled,
/// - `@NAME` is a table that the program makes (`ManualPage`),
/// - and other lines are a paragraph, in which a word `{NAME}` stands for a value of the program.
enum ManualText {
    enum Block {
        case title(String)
        case topic(String)
        case term(String, meaning: String)
        case step(number: String, String)
        case example(String)
        case table(String)
        case paragraph(String)

        /// The title of the section that the block begins, if it begins one.
        var heading: String? {
            switch self {
            case .title(let title), .topic(let title): title
            case .term, .step, .example, .table, .paragraph: nil
            }
        }
    }

    /// The blocks of the manual page.
    static var page: [Block] {
        var isShown = true
        return blocks.filter { block in
            if block.heading != nil { isShown = if case .title = block { true } else { false } }
            return isShown
        }
    }

    /// The blocks of the page and of the help.
    private static var blocks: [Block] {
        String(cString: locwatch_manual()).split(separator: "\n", omittingEmptySubsequences: false)
            .split { $0.isEmpty }.map { block(Array($0)) }
    }

    static func section(_ title: String) -> [Block] {
        Array(blocks.drop { $0.heading != title }.dropFirst().prefix { $0.heading == nil })
    }

    static func paragraphs(of title: String) -> [String] {
        section(title).compactMap { if case .paragraph(let text) = $0 { text } else { nil } }
    }

    private static func block(_ lines: [Substring]) -> Block {
        let first = lines[0]
        let number = first.prefix { $0.isNumber }
        if first.hasPrefix("#- ") { return .topic(String(first.dropFirst(3))) }
        if first.hasPrefix("# ") { return .title(String(first.dropFirst(2))) }
        if first.hasPrefix("= ") { return .term(String(first.dropFirst(2)), meaning: filled(lines.dropFirst())) }
        if first.hasPrefix("@") { return .table(String(first.dropFirst())) }
        if first.hasPrefix("    ") { return .example(lines.map { $0.dropFirst(4) }.joined(separator: "\n")) }
        if !number.isEmpty, first.dropFirst(number.count).hasPrefix(". ") {
            return .step(number: "\(number).", filled([first.dropFirst(number.count + 2)] + lines.dropFirst()))
        }
        return .paragraph(filled(lines[...]))
    }

    /// Returns lines as one, with the values of the program in place of their names.
    private static func filled(_ lines: ArraySlice<Substring>) -> String {
        lines.flatMap { $0.split(separator: " ") }.map { word in
            guard word.first == "{", let end = word.firstIndex(of: "}") else { return String(word) }
            return value(String(word[..<end].dropFirst())) + word[end...].dropFirst()
        }.joined(separator: " ")
    }

    private static func value(_ name: String) -> String {
        switch name {
        case "queued-hooks": "\(HookQueue.limit)"
        case "running-hooks": "\(HookQueue.mostRunning)"
        case "hook-output": "\(HookOutput.limit / 1024)"
        case "shortest-token": "\(AccessToken.shortest)"
        case "longest-token": "\(AccessToken.longest)"
        default: preconditionFailure("the manual names an unknown value \(name)")
        }
    }
}
