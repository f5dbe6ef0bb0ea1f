package import Foundation
import Testing

/// A recording that tests read, with its lines as they are read independently of the decoder.
package struct SampleRecording: CustomTestStringConvertible, Sendable {
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

extension SampleRecording {
    /// The folder of the recordings of this package, each of which has a folder with its name.
    package static let fixtures = folder("../../../../Fixtures")
    /// The folder of the recordings of real receivers, which `LOCWATCH_CORPUS` names.
    package static let corpus = ProcessInfo.processInfo.environment["LOCWATCH_CORPUS"]

    /// The recordings in Fixtures, eight of which are of real receivers, and those of `corpus` if it is set.
    ///
    /// A recording that is in both is read once.
    package static let all: [SampleRecording] = {
        let own = files(in: fixtures, ".json")
        precondition(!own.isEmpty, "tests of all recordings would pass without any")
        func name(_ path: String) -> Substring? { path.split(separator: "/").last }
        let known = Set(own.filter { $0.contains("/receivers/") }.map(name))
        let others = corpus.map { files(in: $0, ".json") } ?? []
        return (own + others.filter { !known.contains(name($0)) }).map(SampleRecording.init)
    }()
    /// Whether it is in this package, and so on every machine.
    package var isFixture: Bool { path.hasPrefix(Self.fixtures + "/") }
    /// The session of a receiver of two bands, of which gpsd lists satellites and signals in turn.
    package static let twoBands = SampleRecording(path: folder("../../../Captures") + "/two-bands.json")
    /// The paths of the raw logs of real receivers in the folder that `LOCWATCH_CORPUS` names.
    package static let logs = corpus.map { files(in: $0, ".log") } ?? []

    /// Returns the path of a recording of a real receiver in Fixtures.
    package static func receiver(_ name: String) -> String { "\(fixtures)/receivers/\(name).json" }
    /// Returns the path of a recording in Fixtures.
    package static func fixture(_ name: String) -> String { "\(fixtures)/\(name)/session.json" }

    private static func folder(_ path: String) -> String {
        URL(filePath: #filePath).appending(path: path).standardizedFileURL.path
    }

    /// Returns the paths of the files with an ending in a folder and those within it.
    private static func files(in folder: String, _ ending: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }
}
