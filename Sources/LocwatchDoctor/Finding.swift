import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The result of a check of `doctor`.
struct Finding: Hashable, Sendable {
    /// The severity of a finding.
    enum Result: String, Hashable, Sendable {
        /// The checked part is in order.
        case ok
        /// A problem that does not prevent a fix.
        case remark
        /// A problem that prevents a fix.
        case fault
    }

    var result: Result
    /// The checked object and its state.
    var found: String
    /// The cause in a sentence, or `nil` if nothing is wrong.
    var why: String?
    /// The commands and steps that solve the problem, in order.
    var remedy: [String] = []
    /// The fault in a few words, if they differ from `found`.
    var brief: String?
    /// The exit code of the program, for faults only.
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

/// The answer of a check.
enum CheckAnswer: Hashable, Sendable {
    /// The check needs more events; never the answer once the observation is over.
    case wait
    /// The check does not apply to this source.
    case moot
    case found(Finding)
}

/// A check of `doctor`, which is a pure function of the observation and the machine.
protocol Check {
    static var name: CheckName { get }
    static func examine(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer
}

/// The checks, in the order of their dependencies.
enum CheckName: String, CaseIterable, Hashable, Sendable {
    case programs, daemon, greeting, devices, user, bytes, sky, fix, clock, time, safety, caster

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
        case .time: TimeServiceCheck.self
        case .safety: SafetyCheck.self
        case .caster: CorrectionsCheck.self
        }
    }

    /// Returns the checks in order; a serial device is checked before a gpsd is started for it.
    static func order(for source: SourceWord) -> [CheckName] {
        source.serialPath != nil
            ? [
                .programs, .devices, .user, .daemon, .greeting, .bytes, .sky, .fix, .clock, .time, .safety,
                .caster,
            ]
            : allCases
    }
}
