package import Foundation
import Testing

/// The recordings that tests read as a whole.
package enum Recordings {
    /// The folder of the recordings of real receivers, which `LOCWATCH_CORPUS` names.
    package static let corpus = ProcessInfo.processInfo.environment["LOCWATCH_CORPUS"]
    /// The path of the session of a receiver of two bands, of which gpsd lists satellites and signals in turn.
    package static let twoBands = URL(filePath: #filePath)
        .appending(path: "../../../Captures/two-bands.json").standardizedFileURL.path
    /// The paths of the recordings in Fixtures, and of those of real receivers if there is a folder of them.
    package static let paths: [String] = {
        let fixtures = URL(filePath: #filePath).appending(path: "../../../../Fixtures").standardizedFileURL.path
        let folders = [fixtures, corpus].compactMap(\.self)
        let paths = folders.flatMap { folder in
            (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
                .filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
        }
        precondition(!paths.isEmpty, "tests of all recordings would pass without any")
        return paths
    }()
    /// The paths of the raw logs of real receivers in the folder that `LOCWATCH_CORPUS` names.
    package static let logs: [String] = {
        guard let corpus else { return [] }
        return (FileManager.default.enumerator(atPath: corpus)?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(".log") }.sorted().map { "\(corpus)/\($0)" }
    }()
}

/// A recording, with its lines as they are read independently of the decoder.
package struct SampleRecording: CustomTestStringConvertible, Sendable {
    package static let all = Recordings.paths.map(SampleRecording.init(path:))

    package let path: String

    package init(path: String) { self.path = path }

    package var testDescription: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

    /// The lines with an object, from its brace on, without a time stamp of gpspipe.
    package var lines: [Data] {
        get throws {
            try Data(contentsOf: URL(filePath: path)).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                .compactMap { line in line.firstIndex(of: UInt8(ascii: "{")).map { line[$0...] } }
        }
    }

    /// The objects of the lines, as far as Foundation reads them.
    package var reports: [[String: Any]] {
        get throws { try lines.compactMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] } }
    }
}
