#if canImport(Glibc)
    import Glibc
#endif

/// The progress of the other threads of this process from a time on: whether all of them sleep, or how long those at work have run.
///
/// The clock of a test advances only after every task that can run has run. On a busy machine a thread that has a task can wait for its
/// processor for longer than any pause, so the time that counts is the one that the thread has spent on a processor.
package struct ThreadProgress {
    /// The time on a processor that each thread had used when it was first seen at work.
    private var used: [String: Duration] = [:]

    package init() {}

    /// Returns whether all other threads fall asleep within a millisecond; `false` if the system does not tell.
    ///
    /// A timer that wakes one thread often wakes another one too, which has nothing to do and sleeps again at once.
    package static func allFallAsleep() -> Bool {
        #if canImport(Glibc)
            for _ in 0..<20 {
                if areAsleep { return true }
                usleep(50)
            }
        #endif
        return false
    }

    /// Returns whether within a millisecond each other thread sleeps, or has run for `time` on a processor since it was first seen at
    /// work; `true` if the system does not tell.
    package mutating func haveRun(for time: Duration) -> Bool {
        #if canImport(Glibc)
            for _ in 0..<20 {
                if haveRunNow(for: time) { return true }
                usleep(50)
            }
            return false
        #else
            return true
        #endif
    }

    /// The time for which the current thread has had a processor, or could have used one; zero if the system does not tell.
    static var ownRunnableTime: Duration {
        #if canImport(Glibc)
            // The second number of the file is the time in nanoseconds for which the thread waited for a processor.
            let numbers = read("schedstat", of: own)?.split(separator: UInt8(ascii: " ")) ?? []
            let delay = numbers.count > 1 ? Int64(String(decoding: numbers[1], as: UTF8.self)) : nil
            return (time(by: CLOCK_THREAD_CPUTIME_ID) ?? .zero) + .nanoseconds(delay ?? 0)
        #else
            return .zero
        #endif
    }

    #if canImport(Glibc)
        private mutating func haveRunNow(for time: Duration) -> Bool {
            // A thread that was seen asleep can have been woken by one that then fell asleep, which is a switch.
            let before = Self.switches
            var (atWork, waiting) = (0, 0)
            for thread in Self.others ?? [] where Self.state(of: thread) != "S" {
                guard let now = Self.processorTime(of: thread) else { continue }
                let begin = used[thread] ?? now
                used[thread] = begin
                atWork += 1
                if now - begin < time { waiting += 1 }
            }
            return waiting == 0 && (atWork > 0 || Self.switches == before)
        }

        /// Whether all other threads sleep, so that no task runs.
        private static var areAsleep: Bool {
            // A thread that was seen asleep can have been woken by one that then fell asleep, which is a switch.
            let before = switches
            return others?.allSatisfy(isAsleep) == true && switches == before
        }

        /// The numbers of all other threads, as the names of their folders, or `nil` if the system does not tell.
        private static var others: [String]? {
            guard let folder = opendir("/proc/self/task") else { return nil }
            defer { closedir(folder) }
            let own = own
            var names: [String] = []
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != own, !name.hasPrefix(".") { names.append(name) }
            }
            return names
        }

        /// The number of times that a thread of this process has given up its processor.
        private static var switches: Int {
            var usage = rusage()
            getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_nvcsw + usage.ru_nivcsw
        }

        /// The number of this thread, as the name of its folder.
        private static var own: String {
            var path = [CChar](repeating: 0, count: 64)
            let count = max(0, readlink("/proc/thread-self", &path, path.count))
            return String(
                decoding: path[..<count].map(UInt8.init(bitPattern:)).split(separator: UInt8(ascii: "/")).last ?? [],
                as: UTF8.self)
        }

        /// Returns whether a thread sleeps until another one wakes it, or has ended.
        private static func isAsleep(_ thread: String) -> Bool {
            // A thread that finds the queue of tasks in use by another one sleeps for milliseconds, and then takes a task.
            state(of: thread) == "S" && read("wchan", of: thread) != Array("hrtimer_nanosleep".utf8)
        }

        /// Returns the letter of a thread's state; a thread that has ended sleeps.
        private static func state(of thread: String) -> Unicode.Scalar {
            // The state follows the name of the thread, which is in parentheses and has 15 bytes at most.
            guard let stat = read("stat", of: thread), let end = stat.lastIndex(of: UInt8(ascii: ")")),
                end + 2 < stat.count
            else { return "S" }
            return Unicode.Scalar(stat[end + 2])
        }

        /// Returns the time that a thread has spent on a processor, or `nil` if it has ended.
        private static func processorTime(of thread: String) -> Duration? {
            // The number of the clock of a thread of this process is made of the thread's.
            Int32(thread).flatMap { time(by: ~$0 << 3 | 6) }
        }

        /// Returns the time of a clock of the system, or `nil` if there is no such clock.
        private static func time(by clock: clockid_t) -> Duration? {
            // The seconds and the nanoseconds of a `timespec`, whose members are those of one module or of another, as it is compiled.
            var time = (seconds: 0, nanoseconds: 0)
            let result = withUnsafeMutablePointer(to: &time) { pointer in
                clock_gettime(clock, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: timespec.self))
            }
            return result == 0 ? .seconds(time.seconds) + .nanoseconds(time.nanoseconds) : nil
        }

        /// Returns the first bytes of a file about a thread, or `nil` if the thread has ended.
        private static func read(_ name: String, of thread: String) -> [UInt8]? {
            let file = open("/proc/self/task/\(thread)/\(name)", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            return Array(unsafeUninitializedCapacity: 64) { bytes, count in
                count = max(0, Glibc.read(file, bytes.baseAddress, bytes.count))
            }
        }
    #endif
}
