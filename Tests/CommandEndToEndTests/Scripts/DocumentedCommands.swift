import Foundation

/// The command lines of the documents, each of which a script runs.
enum DocumentedCommands {
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
