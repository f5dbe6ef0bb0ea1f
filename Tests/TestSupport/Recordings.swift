import Foundation

/// The recordings that tests read as a whole.
package enum Recordings {
    /// The paths of the recordings in Fixtures, and of those of real receivers if `LOCWATCH_CORPUS` names a folder of them.
    package static let paths: [String] = {
        let fixtures = URL(filePath: #filePath).appending(path: "../../../Fixtures").standardizedFileURL.path
        return [fixtures, ProcessInfo.processInfo.environment["LOCWATCH_CORPUS"]].compactMap(\.self).flatMap { folder in
            (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
                .filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
        }
    }()
}
