import Foundation

/// A running program, with the words of its command line.
struct RunningProgram {
    let processID: Int32
    let words: [String]

    /// The program of this package for tests, which is in one folder with the test bundle on Linux.
    static let development = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "locwatch-dev")

    /// The programs of this machine.
    static var all: [RunningProgram] {
        let ids = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return ids.map { id in
            let bytes = (try? Data(contentsOf: URL(filePath: "/proc/\(id)/cmdline"))) ?? Data()
            return RunningProgram(
                processID: id, words: bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        }
    }
}
