import Foundation
import FoundationXML
import Testing

/// Tests of the README as a page: its size, its links and its picture; other suites run its commands and compile its code.
@Suite struct ReadmeTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md"])
    func `every link of a page leads to a file`(page: String) throws {
        for link in try Self.text(page).matches(of: /\]\(([^)#:]+)\)/).map({ String($0.1) }) {
            #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: link).path), "\(link)")
        }
    }

    @Test func `the picture moves without a script, loads nothing, and is a whole screen where it stands`() throws {
        let picture = try Self.text("Documentation/locwatch.svg")
        #expect(picture.utf8.count < 100_000)
        let document = try XMLDocument(xmlString: picture)
        #expect(try document.nodes(forXPath: "//*[local-name() = 'script' or local-name() = 'foreignObject']").isEmpty)
        #expect(try document.nodes(forXPath: "//@*[starts-with(name(), 'on') or local-name() = 'href']").isEmpty)
        #expect(picture.firstMatch(of: /@import|url\((?!#)|javascript:/) == nil)
        #expect(picture.contains("@keyframes") && picture.contains("prefers-reduced-motion"))
        // The texts outside of the layers, which the animation shows.
        let still = try document.nodes(forXPath: "//*[local-name() = 'text' and not(ancestor::*[@class = 'layer'])]")
        let screen = still.compactMap(\.stringValue).joined(separator: "\n")
        #expect(screen.contains("FOUND") && screen.contains("3D"), "\(screen)")
    }
}
