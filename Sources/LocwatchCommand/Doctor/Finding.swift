/// What a check of `doctor` came to.
struct Finding: Hashable, Sendable {
    /// How bad it is.
    enum Result: String, Hashable, Sendable {
        /// As it should be.
        case ok
        /// Worth knowing, and no reason to have no fix.
        case remark
        /// Stands in the way of a fix.
        case fault
    }

    var result: Result
    /// What was looked at, and what it is.
    var found: String
    /// Why it is wrong, in a sentence; `nil` where nothing is.
    var why: String?
    /// What mends it: commands and steps, the first one first.
    var remedy: [String] = []
    /// The fault in a few words, where that is not what was found.
    var brief: String?
    /// What the program ends with; counts for faults only.
    var code = ExitCode.done

    static func ok(_ found: String) -> Finding { Finding(result: .ok, found: found) }

    static func remark(_ found: String, why: String, remedy: [String]) -> Finding {
        Finding(result: .remark, found: found, why: why, remedy: remedy)
    }

    static func fault(
        _ code: ExitCode, _ found: String, brief: String? = nil, why: String, remedy: [String]
    ) -> Finding {
        Finding(result: .fault, found: found, why: why, remedy: remedy, brief: brief, code: code)
    }
}

/// What a check says when it is asked.
enum CheckAnswer: Hashable, Sendable {
    /// It cannot tell yet; never the answer once the observation is over.
    case wait
    /// It has nothing to look at here.
    case moot
    case found(Finding)
}

/// One of the questions that `doctor` asks, a pure function of what is seen.
protocol Check {
    static var name: CheckName { get }
    static func examine(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer
}

/// The checks, in the order in which one depends on another.
enum CheckName: String, CaseIterable, Hashable, Sendable {
    case programs, daemon, greeting, devices, user, bytes, sky, fix, clock

    var check: any Check.Type {
        switch self {
        case .programs: ProgramsCheck.self
        case .daemon: DaemonCheck.self
        case .greeting: GreetingCheck.self
        case .devices: DevicesCheck.self
        case .user: UserCheck.self
        case .bytes: BytesCheck.self
        case .sky: SkyCheck.self
        case .fix: FixCheck.self
        case .clock: ClockCheck.self
        }
    }

    /// A device of this machine is looked at before a gpsd is started for it.
    static func order(for source: SourceWord) -> [CheckName] {
        source.serialPath != nil
            ? [.programs, .devices, .user, .daemon, .greeting, .bytes, .sky, .fix, .clock] : allCases
    }
}
