import Foundation

/// A page of the documentation with its Swift examples: the README, CONTRIBUTING, a page in `Documentation`, an article, or
/// the comments of a source.
struct DocumentationPage: CustomStringConvertible {
    /// The path of the page, relative to the package.
    let path: String
    /// The code of the page's Swift blocks, in order.
    let blocks: [String]

    static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// Every page that can have examples.
    static let all: [DocumentationPage] = {
        let catalogs = files(below: "Sources", ".md").filter { $0.pathComponents.contains { $0.hasSuffix(".docc") } }
        let comments = ["Sources/Library/LocationCore/Provider/LocationError.swift"].map { root.appending(path: $0) }
        let pages = ["README.md", "CONTRIBUTING.md"].map { root.appending(path: $0) }
        let articles = files(below: "Documentation", ".md") + catalogs
        return (pages + articles + comments).map(DocumentationPage.init)
    }()

    /// The lines of the files that are compiled: those of this target and of the examples.
    static let compiledLines: [[String]] =
        (files(below: "Tests/DocumentationTests", ".swift") + files(below: "Examples", ".swift")).map {
            code(text(of: $0))
        }

    init(_ file: URL) {
        path = String(file.standardized.path.dropFirst(Self.root.path.count + 1))
        blocks = Self.documentation(in: file).components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    var description: String { path }

    /// Returns whether a block is the manifest of a package.
    static func isManifest(_ block: String) -> Bool { block.hasPrefix("// swift-tools-version") }

    /// Returns the lines of code without imports and indentation, so that a file can have the block within a type.
    static func code(_ text: String) -> [String] {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasPrefix("@testable import ")
        }
    }

    /// Returns whether one of the compiled files has the lines of a block, in their order and without other lines.
    static func isCompiled(_ block: String) -> Bool {
        let block = code(block)
        guard let first = block.first else { return false }
        return compiledLines.contains { lines in
            lines.indices.contains { lines[$0] == first && lines[$0...].starts(with: block) }
        }
    }

    private static func files(below folder: String, _ ending: String) -> [URL] {
        let found = FileManager.default.enumerator(
            at: root.appending(path: folder), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        return (found?.compactMap { $0 as? URL } ?? []).filter { $0.path.hasSuffix(ending) }.sorted {
            $0.path < $1.path
        }
    }

    /// Returns the text of a page, or that of the documentation comments of a source.
    private static func documentation(in file: URL) -> String {
        guard file.pathExtension == "swift" else { return text(of: file) }
        return text(of: file).components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("///") }.map { String($0.dropFirst(4)) }.joined(separator: "\n")
    }

    private static func text(of file: URL) -> String {
        (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
}
