import Glibc
import LocwatchPlatform

/// What this process holds and has used, as the system counts it.
struct ProcessFigures: Hashable, Sendable {
    /// Open descriptors.
    var descriptors: Int
    /// Threads.
    var threads: Int
    /// Memory that is in use, in bytes.
    var memory: Int
    /// Processor time of all threads together.
    var processorTime: Duration

    /// The figures of this moment.
    static var now: ProcessFigures {
        ProcessFigures(
            // Looking takes a descriptor itself.
            descriptors: entries(of: "/proc/self/fd") - 1, threads: entries(of: "/proc/self/task"), memory: resident(),
            processorTime: .nanoseconds(HostClock.nanoseconds(.processor)))
    }

    private static func entries(of path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        // Two are the folder itself and the one above.
        while readdir(folder) != nil { count += 1 }
        return count - 2
    }

    private static func resident() -> Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            let words = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
            return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
        }
    }
}
