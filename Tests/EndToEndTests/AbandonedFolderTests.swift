import Foundation
import Platform
import Testing

/// The temporary folders that a killed program leaves behind.
@Suite struct AbandonedFolderTests {
    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func `the folder of a killed program is removed when the next program starts`() throws {
        let first = try Holder()
        #expect(mode(first.folder) != nil)
        first.kill()
        #expect(mode(first.folder) != nil)
        let second = try Holder()
        #expect(mode(first.folder) == nil)
        #expect(mode(second.folder) != nil)
        second.kill()
        for word in ["locwatch", "locwatch-gpsd"] { try TemporaryFolder(word).remove() }
        #expect(mode(second.folder) == nil)
    }

    /// A program with a simulated receiver and a daemon that the test kills.
    private final class Holder {
        private let process = Process()
        let folder: String

        init() throws {
            process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "locwatch-dev")
            process.arguments = ["hold"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let path = try #require(line.split(whereSeparator: \.isWhitespace).last.map(String.init))
            folder = URL(filePath: path).deletingLastPathComponent().path
        }

        func kill() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        deinit { kill() }
    }
}
