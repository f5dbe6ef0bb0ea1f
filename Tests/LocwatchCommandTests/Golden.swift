import Foundation
import TestSupport
import Testing

/// The texts of the program that people and scripts read.
enum Golden {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    static let folder = tests.appending(path: "Golden")
    static let package = tests.appending(path: "../..").standardizedFileURL

    static func expect(_ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try GoldenFile(name, of: tests).expect(text, sourceLocation: sourceLocation)
    }
}
