import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The answer of a check of `doctor`.
struct Finding: Hashable, Sendable {
    enum Result: String, Hashable, Sendable {
        /// The checked part is in order.
        case ok
        /// A problem that does not prevent a fix.
        case remark
        /// A problem that prevents a fix.
        case fault
        /// The check does not apply.
        case moot
        /// The check needs more events; never the answer once an observation is over.
        case wait
    }

    var result: Result
    /// The checked object and its state.
    var found = ""
    /// The cause in a sentence, or `nil` if nothing is wrong.
    var why: String?
    /// The commands and steps that solve the problem, in order.
    var remedy: [String] = []
    /// The fault in a few words, if they differ from `found`.
    var brief: String?
    /// The exit code of the program, for faults only.
    var code = ExitCode.done

    static let wait = Finding(result: .wait)
    static let moot = Finding(result: .moot)

    static func ok(_ found: String) -> Finding { Finding(result: .ok, found: found) }

    static func remark(_ found: String, why: String, remedy: String...) -> Finding {
        Finding(result: .remark, found: found, why: why, remedy: remedy)
    }

    static func fault(
        _ code: ExitCode, _ found: String, brief: String? = nil, why: String, remedy: String...
    ) -> Finding {
        .fault(code, found, brief: brief, why: why, remedy: remedy)
    }

    static func fault(
        _ code: ExitCode, _ found: String, brief: String? = nil, why: String, remedy: [String]
    ) -> Finding {
        Finding(result: .fault, found: found, why: why, remedy: remedy, brief: brief, code: code)
    }
}

/// A check of `doctor`: a name, and a function that gives a finding about the evidence.
///
/// Every examination is a list of checks, in the order of their dependencies, so that a fault ends it. The evidence of a
/// session is an `Observation`, which grows while checks wait; that of GeoClue is the way to it; and the checks of a
/// target or a fleet have none, as each connects or states what a probe has found. `DoctorReport` performs and prints them.
struct Check<Evidence> {
    let name: CheckName
    let examine: (_ evidence: Evidence, _ machine: any ExaminedMachine) -> Finding

    init(_ name: CheckName, _ examine: @escaping (_ evidence: Evidence, _ machine: any ExaminedMachine) -> Finding) {
        self.name = name
        self.examine = examine
    }
}

extension Check<Void> {
    /// Creates a check without evidence, which is examined when its turn comes.
    init(_ name: CheckName, _ finding: @escaping @autoclosure () -> Finding) {
        self.init(name) { _, _ in finding() }
    }
}

extension Check<Observation> {
    /// Returns the checks of a session; a serial device is checked before a gpsd is started for it.
    static func all(for source: SourceWord) -> [Check] {
        let daemon = [Check(.daemon, DaemonCheck.examine), Check(.greeting, GreetingCheck.examine)]
        let devices = [Check(.devices, DevicesCheck.examine), Check(.user, DevicesCheck.examineUser)]
        return [Check(.programs, ProgramsCheck.examine)]
            + (source.serialPath == nil ? daemon + devices : devices + daemon)
            + [
                Check(.bytes, BytesCheck.examine), Check(.sky, SkyCheck.examine), Check(.fix, FixCheck.examine),
                Check(.clock, ClockCheck.examine), Check(.time, TimeServiceCheck.examine),
                Check(.safety, SafetyCheck.examine), Check(.caster, CorrectionsCheck.examine),
            ]
    }
}

/// The name of a check, which people and scripts read.
enum CheckName: String, Hashable, Sendable, CaseIterable {
    // A session.
    case programs, daemon, greeting, devices, user, bytes, sky, fix, clock, time, safety, caster
    // A target, a fleet, or GeoClue.
    case name, connection, encryption, server, topic, queue, geoclue, avahi, publisher, position
}
