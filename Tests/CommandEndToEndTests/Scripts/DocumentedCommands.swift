import Foundation
import TestSupport

/// The command lines of the documents, each of which a script runs.
enum DocumentedCommands {
    /// Returns the lines of the examples in the help of each command and topic.
    static func ofHelp() throws -> Set<String> {
        let topics = try Tool(Locwatch.program, ["__complete", "fish", "locwatch help "]).output
            .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.filter { $0 != "manual" }
        let lines = try topics.flatMap { name in
            let help = try Tool(Locwatch.program, ["help", name]).output.components(separatedBy: "\nExamples:\n")
            let examples = help.dropFirst().first?.components(separatedBy: "\n\n").first ?? ""
            return examples.split(separator: "\n").reduce(into: [String]()) { lines, text in
                let command = text.dropFirst(2).description.components(separatedBy: "  ")[0]
                if text.hasPrefix("  locwatch") {
                    lines.append(command)
                } else if !text.hasPrefix("   "), !text.hasPrefix("  cgps"), !lines.isEmpty {
                    // A long line goes on in the next one.
                    lines[lines.count - 1] += " " + command
                }
            }
        }
        return Set(lines)
    }

    /// A shell block of the README, with the comment before it that says what runs its lines.
    struct Block {
        let comment: String
        let lines: [String]
    }

    /// Returns the commands within the text and the tables of the README, and its shell blocks.
    static func ofReadme() throws -> (lines: Set<String>, blocks: [Block]) {
        let text = try String(contentsOf: Locwatch.package.appending(path: "README.md"), encoding: .utf8)
        let parts = text.components(separatedBy: "```")
        var (lines, blocks): (Set<String>, [Block]) = ([], [])
        for (index, part) in parts.enumerated() {
            if index.isMultiple(of: 2) {
                lines.formUnion(part.matches(of: /`(locwatch[^`]*)`/).map { String($0.1) })
            } else if part.hasPrefix("sh\n") {
                let comment = parts[index - 1].split(separator: "\n").last.map(String.init) ?? ""
                blocks.append(
                    Block(
                        comment: comment,
                        lines: part.split(separator: "\n").dropFirst().map {
                            $0.components(separatedBy: " #")[0].trimmingCharacters(in: .whitespaces)
                        }))
            }
        }
        return (lines, blocks)
    }
}
