import Foundation
import LocationTesting
import Testing

/// Tests of the Swift blocks that the plugin `DocumentationExamples` does not compile: the manifests, and what stands within other code.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// Returns the Swift blocks of a page, or those of the documentation comments of a source.
    private static func blocks(of path: String) throws -> [String] {
        try text(path).replacing(/(?m)^\/\/\/ ?/, with: "").components(separatedBy: "```swift\n").dropFirst().compactMap
        {
            $0.components(separatedBy: "```").first
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test(arguments: [
        ("Sources/Library/LocationCore/Events/LocationError.swift", "ErrorExample.swift"),
        ("Sources/Library/GPSDSimulation/GPSDSimulation.docc/ScriptingAStandIn.md", "ScriptingAStandIn.swift"),
    ])
    func `a block that needs code around it is compiled here, word for word`(page: String, file: String) throws {
        func lines(_ text: String) -> [String] {
            text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
        let compiled = try lines(Self.text("Tests/DocumentationTests/\(file)"))
        let blocks = try Self.blocks(of: page)
        #expect(blocks.count == 1)
        for block in blocks { #expect(compiled.contains(lines(block)), "\(block)") }
    }

    @Test func `the key of swift-dependencies is compiled here, word for word`() throws {
        let page = try Self.text("Sources/Library/LocationCore/LocationCore.docc/ComingFromCoreLocation.md")
        let source = try Self.text("Tests/DocumentationTests/DependencyExample.swift")
        let example = try #require(source.range(of: "enum LocationKey")).lowerBound
        #expect(page.contains("```\n\(source[example...])```\n"))
        var values = DependencyValues()
        values.location = LocationKey.previewValue
        #expect(values.location is ScriptedLocationSource)
    }

    @Test func `the page about one location names only members of the coordinator`() throws {
        let page = try Self.text("Sources/Library/LocationCore/LocationCore.docc/RequestingOneLocation.md")
        let section = try #require(page.components(separatedBy: "### Use callbacks\n").last)
        let source = try ["LocationCoordinator", "LocationCoordinator+Requests"].map {
            try Self.text("Sources/Library/LocationObservation/\($0).swift")
        }.joined()
        let names = section.matches(of: /(?:^|[^`])`(\w+)`/).map { String($0.output.1) }
        #expect(names.contains("current") && names.contains("stop"))
        for name in names {
            #expect(source.contains("public func \(name)(") || source.contains("public var \(name):"), "\(name)")
        }
    }

    @Test func `no page names the standing of a position that a session leaves out`() throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
        where path.hasSuffix(".md") {
            #expect(!(try Self.text("Sources/\(path)").contains("withheld``")), "\(path)")
        }
    }

    private static let manifests = [
        "Documentation/locwatch.docc/locwatch.md", "Sources/Library/LocationCore/LocationCore.docc/GettingStarted.md",
    ]

    @Test func `no page has another manifest`() throws {
        let articles = try ["Documentation", "Sources"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: folder).path)
                .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
        }
        let found = try (["README.md", "CONTRIBUTING.md"] + articles.sorted()).flatMap { page in
            try Self.blocks(of: page).filter { $0.hasPrefix("// swift-tools-version") }.map { _ in page }
        }
        #expect(found == Self.manifests)
    }

    @Test(arguments: manifests)
    func `the manifest finds its products in a clone beside it`(page: String) throws {
        let manifest = try #require(try Self.blocks(of: page).first { $0.hasPrefix("// swift-tools-version") })
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "locwatch-manifest-\(UUID().uuidString)")
        defer { try? files.removeItem(at: folder) }
        let package = folder.appending(path: "package")
        try files.createDirectory(at: package, withIntermediateDirectories: true)
        try files.createSymbolicLink(at: folder.appending(path: "locwatch"), withDestinationURL: Self.root)
        try Data(manifest.utf8).write(to: package.appending(path: "Package.swift"))
        // The command fails if a target has no source.
        for target in manifest.components(separatedBy: "arget(\n").dropFirst() {
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
