import Foundation

/// A process of this machine, as the system shows it.
package struct RunningProcess: Hashable, Sendable {
    package let id: Int32

    package init(_ id: Int32) { self.id = id }

    /// The process of the tests.
    package static let own = RunningProcess(getpid())

    /// The processes of this machine.
    package static var all: [RunningProcess] { names(in: "/proc").compactMap { Int32($0) }.map(Self.init) }

    /// The words of the command line.
    package var words: [String] { text("cmdline").split(separator: "\0").map(String.init) }

    /// Whether the process exists and has not ended, even if its parent does not know yet.
    package var isRunning: Bool { status("State").map { !$0.hasPrefix("Z") } ?? false }

    /// The bytes of memory, or `nil` if the process has ended.
    package var memory: Int? { status("VmRSS").flatMap { Int($0.prefix { $0 != " " }) }.map { $0 << 10 } }

    package var threadCount: Int { Self.names(in: "/proc/\(id)/task").count }

    /// The targets of the open descriptors, such as paths.
    package var descriptors: [String] {
        let folder = "/proc/\(id)/fd"
        return Self.names(in: folder).compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
    }

    package var children: [RunningProcess] {
        Self.names(in: "/proc/\(id)/task").flatMap { thread in
            text("task/\(thread)/children").split(separator: " ").compactMap { Int32($0) }.map(Self.init)
        }
    }

    /// Returns a value of the process' status, such as `Name`, or `nil` if the process has ended.
    package func status(_ key: String) -> String? {
        let line = text("status").split(separator: "\n").first { $0.hasPrefix("\(key):") }
        return line?.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces)
    }

    /// Returns the text of a file of the process, empty if there is none.
    package func text(_ name: String) -> String {
        (try? Data(contentsOf: URL(filePath: "/proc/\(id)/\(name)"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
