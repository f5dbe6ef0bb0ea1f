import Glibc
import LocwatchPlatform

/// The resources of this process as the system counts them.
struct ProcessFigures: Hashable, Sendable {
    /// The number of open descriptors.
    var descriptors: Int
    /// The number of threads.
    var threads: Int
    /// The resident memory in bytes.
    var memory: Int
    /// The processor time of all threads.
    var processorTime: Duration

    /// The present figures.
    static var now: ProcessFigures {
        ProcessFigures(
            // Listing the folder takes a descriptor itself.
            descriptors: entries(of: "/proc/self/fd") - 1, threads: entries(of: "/proc/self/task"), memory: resident(),
            processorTime: .nanoseconds(HostClock.nanoseconds(.processor)))
    }

    private static func entries(of path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        // Two of the entries are `.` and `..`.
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
