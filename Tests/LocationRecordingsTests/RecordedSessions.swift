import Foundation
import Testing

/// A recorded session, as Foundation reads its lines: independently of the decoder.
struct RecordedSession: CustomTestStringConvertible, Sendable {
    let file: URL

    var testDescription: String { file.pathComponents.suffix(2).joined(separator: "/") }

    /// The sessions in Fixtures, and those of real receivers if `LOCWATCH_CORPUS` names a folder of them.
    static let all: [RecordedSession] = {
        let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let corpus = ProcessInfo.processInfo.environment["LOCWATCH_CORPUS"].map { URL(filePath: $0) }
        return [package.appending(path: "Fixtures"), corpus].compactMap(\.self).flatMap { folder in
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "json" }
                .sorted { $0.path < $1.path }.map(RecordedSession.init)
        }
    }()

    /// The lines, each as an object, or `nil` if it is none.
    func reports() throws -> [[String: Any]?] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { line in
            guard let start = line.firstIndex(of: UInt8(ascii: "{")) else { return nil }
            return try? JSONSerialization.jsonObject(with: line[start...]) as? [String: Any]
        }
    }

    /// Returns the coordinate of a report with a position.
    static func position(_ report: [String: Any]) -> (latitude: Double, longitude: Double)? {
        guard report["class"] as? String == "TPV", report["mode"] as? Int ?? 0 >= 2,
            let latitude = report["lat"] as? Double, let longitude = report["lon"] as? Double,
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        return (latitude, longitude)
    }
}

@Test func `the recordings of this package are found`() {
    #expect(RecordedSession.all.count >= 9)
}
