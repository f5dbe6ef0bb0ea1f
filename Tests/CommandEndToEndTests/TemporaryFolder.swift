import Foundation

/// A folder that is removed at the end of the test.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "locwatch-e2e-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a recording of 2.8 MB, much more than fits into a pipe.
    func writeLongSession(_ name: String = "long.json") throws {
        let walk = try Data(contentsOf: Locwatch.package.appending(path: "Fixtures/walk/session.json"))
        try (0..<40).reduce(into: Data()) { data, _ in data += walk }.write(to: url.appending(path: name))
    }

    func path(_ name: String) -> String { url.appending(path: name).path }
    func text(_ name: String) throws -> String { try String(contentsOf: url.appending(path: name), encoding: .utf8) }
    /// The names of the files in the folder.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }
}
