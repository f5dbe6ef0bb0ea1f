import LocwatchArguments
import LocwatchSession

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
        let devices = [
            Check(.devices, DevicesCheck.examine), Check(.user, DevicesCheck.examineUser),
            Check(.console, ConsoleCheck.examine),
        ]
        return [Check(.programs, ProgramsCheck.examine)]
            + (source.serialPath == nil ? daemon + devices : devices + daemon)
            + [
                Check(.bytes, BytesCheck.examine), Check(.sky, SkyCheck.examine), Check(.fix, FixCheck.examine),
                Check(.clock, ClockCheck.examine), Check(.time, TimeServiceCheck.examine),
                Check(.safety, SafetyCheck.examine), Check(.caster, CorrectionsCheck.examine),
                Check(.line, LineCheck.examine),
            ]
    }
}

/// The name of a check, which people and scripts read.
enum CheckName: String, Hashable, Sendable, CaseIterable {
    // A session.
    case programs, daemon, greeting, devices, user, console, bytes, sky, fix, clock, time, safety, caster, line
    // A target, a fleet, or GeoClue.
    case name, connection, encryption, server, topic, queue, geoclue, avahi, publisher, position
}
