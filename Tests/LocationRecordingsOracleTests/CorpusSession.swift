import Foundation
import Testing

/// A recorded session whose lines are compared with the oracle.
struct CorpusSession: CustomTestStringConvertible, Sendable {
    let file: URL

    var testDescription: String { file.pathComponents.suffix(2).joined(separator: "/") }

    /// The reports, each from its brace on, without a time stamp of gpspipe.
    var lines: [(number: Int, text: String)] {
        get throws {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            return text.split(whereSeparator: \.isNewline).enumerated().compactMap { index, line in
                line.firstIndex(of: "{").map { (index + 1, String(line[$0...])) }
            }
        }
    }

    /// Returns whether Foundation accepts a line as a JSON object.
    static func isJSONObject(_ line: String) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any]
    }

    /// The sessions of Fixtures/ and, if LOCWATCH_CORPUS names a folder, of that folder.
    static let all: [CorpusSession] = {
        let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let corpus = ProcessInfo.processInfo.environment["LOCWATCH_CORPUS"].map { URL(filePath: $0) }
        return [package.appending(path: "Fixtures"), corpus].compactMap(\.self).flatMap { folder in
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "json" }
                .sorted { $0.path < $1.path }.map(CorpusSession.init)
        }
    }()
}
