import Foundation
import Testing

/// The list of the faults of gpsd, which must be true so that a fault can be deleted with its release.
@Suite struct GPSDQuirksTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    /// Returns the text of all files in a folder of the package, without one of a name.
    private static func text(of folder: String, without name: String) throws -> String {
        let files = FileManager.default.enumerator(at: package.appending(path: folder), includingPropertiesForKeys: nil)
        let paths = try #require(files).compactMap { $0 as? URL }
        return try paths.filter { $0.pathExtension == "swift" && $0.lastPathComponent != name }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }

    @Test func `each quirk of gpsd has releases, a test that exists, and code that uses it`() throws {
        let list = "GPSDQuirks.swift"
        let text = try String(
            contentsOf: Self.package.appending(path: "Sources/Library/GPSDProtocol/\(list)"), encoding: .utf8)
        let (sources, tests) = (try Self.text(of: "Sources", without: list), try Self.text(of: "Tests", without: list))
        var count = 0
        for paragraph in text.components(separatedBy: "\n\n") {
            guard let member = paragraph.firstMatch(of: /package static (?:let|func) (\w+)/) else { continue }
            count += 1
            #expect(sources.contains("GPSDQuirks.\(member.1)"), "nothing uses \(member.1)")
            let test = try #require(paragraph.firstMatch(of: /- Test: `(.+)`/), "\(member.1) has no test")
            #expect(tests.contains("func `\(test.1)`"), "there is no test `\(test.1)`")
            #expect(paragraph.contains("/// - Releases: 3."), "\(member.1) states no release")
        }
        #expect(count == text.components(separatedBy: "package static ").count - 1 && count > 10)
    }
}
