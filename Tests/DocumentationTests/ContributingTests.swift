import Foundation
import TestSupport
import Testing

/// Tests of the tables of CONTRIBUTING, which say where a new thing has its files.
@Suite struct ContributingTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// The names in the rows of the tables.
    private static func names() throws -> [String] {
        let text = try String(contentsOf: root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }.joined(separator: "\n")
        return Set(rows.matches(of: /`([^`]+)`/).map { String($0.1) }).sorted()
    }

    /// The paths of all files and folders, below those that a name leaves out.
    private static var paths: Set<String> {
        let folders = ["Sources", "Tests", "Fuzz", "Tools", "Manual", "Schema", "Web"]
        let paths = folders.flatMap { folder in
            [folder]
                + (FileManager.default.subpaths(atPath: root.appending(path: folder).path) ?? []).map {
                    "\(folder)/\($0)"
                }
        }
        return Set(
            paths.flatMap { path in
                let parts = path.split(separator: "/")
                return parts.indices.map { parts[$0...].joined(separator: "/") }
            })
    }

    /// The names of all types, members and cases.
    private static var declared: Set<String> {
        get throws {
            let kinds = "struct|class|enum|protocol|typealias|let|var|func|case"
            let found = try Tool(
                "grep",
                ["-rhoE", "\\b(\(kinds)) +[A-Za-z_]+"] + ["Sources", "Tests"].map { root.appending(path: $0).path })
            return Set(
                found.output.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
        }
    }

    @Test func `each file, folder and type in a table of CONTRIBUTING is there`() throws {
        let (paths, declared) = (Self.paths, try Self.declared)
        // Lower-case words are those of the command line or of the types beside them, and one type is Foundation's.
        let names = try Self.names().filter { $0.first?.isUppercase == true && !$0.contains("=") && $0 != "Date" }
        #expect(names.count > 100)
        for name in names {
            let isFile = paths.contains(name) || paths.contains("\(name).swift")
            let parts = name.split(separator: ".").map(String.init)
            #expect(isFile || parts.allSatisfy(declared.contains), "\(name)")
        }
    }
}
