import Foundation
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
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return ProcessFigures(
            descriptors: names(in: "/proc/self/fd"), threads: names(in: "/proc/self/task"),
            memory: (pages.flatMap { Int($0[1]) } ?? 0) * Int(getpagesize()),
            processorTime: .nanoseconds(HostClock.nanoseconds(.processor)))
    }

    private static func names(in folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}
