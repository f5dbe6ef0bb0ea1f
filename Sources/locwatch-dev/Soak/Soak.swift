import GPSDReports
import Glibc
import LocationCore
import LocationGPSD

/// A test that runs sessions under faults and checks their states and the resources of the process.
struct Soak {
    private let options: SoakOptions
    private let clock = SessionClock.system()

    init(_ options: SoakOptions) { self.options = options }

    /// Runs the soak and returns the faults found.
    func run() throws -> [String] {
        let subjects: [any SoakSubject] = [try StandInSubject(clock: clock), try DaemonSubject()]
        var random = SplitMix64(seed: options.seed)
        var faults: [String] = []
        let end = Duration.seconds(options.seconds)
        var first: ProcessFigures?
        while clock.now.elapsed < end, faults.isEmpty {
            for subject in subjects {
                try subject.step(at: clock.now.elapsed, &random)
                if let fault = subject.contradiction(at: clock.now.elapsed) { faults.append(fault) }
            }
            if first == nil, subjects.allSatisfy({ $0.session.view.state.location != nil }) { first = .now }
            usleep(20_000)
        }
        for subject in subjects { try subject.mend(at: clock.now.elapsed) }
        let limit = clock.now.elapsed + .seconds(90)
        while faults.isEmpty, subjects.contains(where: { $0.session.view.state.location == nil }) {
            for subject in subjects { try subject.step(at: clock.now.elapsed, &random) }
            if clock.now.elapsed > limit { faults.append("not every session has a fix again at the end") }
            usleep(20_000)
        }
        guard let first else { return faults + ["not every session had a fix at the start"] }
        let last = ProcessFigures.now
        if last.descriptors > first.descriptors + 2 {
            faults.append("descriptors grew from \(first.descriptors) to \(last.descriptors)")
        }
        if last.threads > first.threads + 4 { faults.append("threads grew from \(first.threads) to \(last.threads)") }
        // The memory kept by the allocator varies by megabytes; a leak of one report per second would show within an
        // hour.
        if last.memory > first.memory + 16 << 20 {
            faults.append("memory grew from \(first.memory) to \(last.memory) bytes")
        }
        for subject in subjects {
            let view = subject.session.view
            print("\(subject.name): \(view.positions) positions, \(view.failures) failures")
        }
        print("descriptors \(first.descriptors) → \(last.descriptors), threads \(first.threads) → \(last.threads)")
        print("memory \(first.memory >> 10) → \(last.memory >> 10) KiB, processor time \(last.processorTime)")
        return faults
    }
}
