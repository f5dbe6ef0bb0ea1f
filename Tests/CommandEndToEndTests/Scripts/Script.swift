import Foundation
import Testing

/// A file of `Tests/Scripts`: command lines, with what they print and how they end.
///
/// Each line is a command of `ScriptRun`, which describes them. Lines up to a blank one are a section. Lines that begin with `#`
/// are comments. Files follow at the end, each below a line `-- NAME --`.
struct Script: CustomTestStringConvertible, Sendable {
    struct Line: Sendable {
        let number: Int
        let text: String

        /// The name of the command, and the rest of the line.
        var parts: (name: String, rest: String) {
            let name = text.prefix { $0 != " " }
            return (String(name), text.dropFirst(name.count).trimmingCharacters(in: .whitespaces))
        }
    }

    let name: String
    private(set) var sections: [[Line]] = []
    private(set) var files: [String: String] = [:]

    var testDescription: String { name }

    init(name: String, text: String) {
        self.name = name
        var (section, file): ([Line], String?) = ([], nil)
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if let name = line.wholeMatch(of: /-- (\S+) --/)?.1 {
                file = String(name)
                files[String(name)] = ""
            } else if let file {
                files[file, default: ""] += line + "\n"
            } else if line.isEmpty {
                if !section.isEmpty { sections.append(section) }
                section = []
            } else if !line.hasPrefix("#") {
                section.append(Line(number: index + 1, text: line))
            }
        }
        if !section.isEmpty { sections.append(section) }
        // The line break at the end of the script.
        if let file, files[file]?.hasSuffix("\n\n") == true { files[file]?.removeLast() }
    }

    private static let folder = Locwatch.package.appending(path: "Tests/Scripts")

    /// The scripts, by their names.
    static let all: [Script] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
        let scripts = names.filter { $0.hasSuffix(".txt") }.compactMap { name in
            (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)).map {
                Script(name: name, text: $0)
            }
        }
        precondition(!scripts.isEmpty, "the tests of all scripts would pass without any")
        return scripts
    }()

    /// The lines of all scripts that run something, without the command of the script, and the redirection of a stream at the end.
    static var commandLines: Set<String> {
        let lines = all.flatMap(\.sections).joined().compactMap {
            $0.text.wholeMatch(of: /(?:! )?(?:tty )?(?:exec|start) (.*)/).map { String($0.1) }
        }
        return Set(lines + lines.map { $0.replacing(/\ [<>]\S+$/, with: "") })
    }

    /// The options that have a section, each as often as that.
    static var options: [String] {
        all.flatMap(\.sections).compactMap { section in
            let (name, words) = section[0].parts
            return ["option", "argument"].contains(name) ? String(words.prefix { $0 != " " }) : nil
        }
    }

    /// Returns the place of a line, for a failure.
    func location(of line: Int) -> SourceLocation {
        SourceLocation(
            fileID: "Scripts/\(name)", filePath: Self.folder.appending(path: name).path, line: line, column: 1)
    }
}

/// A line of a script that did not do what it says.
struct ScriptFailure: Error, CustomStringConvertible {
    let line: Script.Line
    let reason: String

    var description: String { "line \(line.number): \(line.text)\n\(reason)" }
}
