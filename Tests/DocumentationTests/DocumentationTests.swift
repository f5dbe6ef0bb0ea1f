import Foundation
import Testing

/// Tests that the examples of the documentation are compiled, in this target or in `Examples`, word for word.
///
/// The tests that an example shows run with the others.
@Suite struct DocumentationTests {
    private struct Example: CustomTestStringConvertible {
        let page: String
        let code: String

        var testDescription: String { "\(page): \(code.prefix { $0 != "\n" })" }
    }

    private static let examples = DocumentationPage.all.flatMap { page in
        page.blocks.map { Example(page: page.path, code: $0) }
    }

    @Test func `the pages are found`() {
        let pages = DocumentationPage.all.map(\.path)
        #expect(pages.contains("README.md") && pages.contains("Documentation/Testing.md"))
        #expect(pages.filter { $0.hasPrefix("Sources/Library/LocationCore/LocationCore.docc/") }.count > 4)
        #expect(Self.examples.count > 40)
    }

    @Test(arguments: examples.filter { !DocumentationPage.isManifest($0.code) })
    private func `the example is compiled`(example: Example) {
        #expect(
            DocumentationPage.isCompiled(example.code), "in no file of DocumentationTests or Examples:\n\(example.code)"
        )
    }

    @Test func `a block that differs in a line is not compiled`() throws {
        let block = try #require(Self.examples.first { $0.page == "Documentation/Testing.md" }?.code)
        #expect(DocumentationPage.isCompiled(block))
        #expect(!DocumentationPage.isCompiled(block + "another line\n"))
        #expect(!DocumentationPage.isCompiled(""))
    }

    @Test(arguments: examples.filter { DocumentationPage.isManifest($0.code) })
    private func `the manifest finds its products in a clone beside it`(example: Example) throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "locwatch-manifest-\(UUID().uuidString)")
        defer { try? files.removeItem(at: folder) }
        let package = folder.appending(path: "package")
        try files.createDirectory(at: package, withIntermediateDirectories: true)
        try files.createSymbolicLink(
            at: folder.appending(path: "locwatch"), withDestinationURL: DocumentationPage.root)
        try Data(example.code.utf8).write(to: package.appending(path: "Package.swift"))
        // The command fails if a target has no source.
        for target in example.code.components(separatedBy: "arget(\n").dropFirst() {
            let name = try #require(target.components(separatedBy: "\"").dropFirst().first)
            let sources = package.appending(path: name.hasSuffix("Tests") ? "Tests/\(name)" : "Sources/\(name)")
            try files.createDirectory(at: sources, withIntermediateDirectories: true)
            try Data("import LocationCore\n".utf8).write(to: sources.appending(path: "File.swift"))
        }
        let swift = Process()
        swift.executableURL = URL(filePath: "/usr/bin/env")
        // The command fails if a package lacks a product that another one names.
        swift.arguments = ["swift", "package", "--package-path", package.path, "show-dependencies"]
        let output = Pipe()
        swift.standardOutput = output
        swift.standardError = output
        try swift.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        swift.waitUntilExit()
        #expect(swift.terminationStatus == 0, "\(text)")
        #expect(text.contains("locwatch"), "\(text)")
    }
}
