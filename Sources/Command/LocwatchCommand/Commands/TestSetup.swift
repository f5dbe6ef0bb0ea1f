import GPSDSimulation
import Glibc
import LocationCore
import LocationRecordings
import LocwatchArguments
import LocwatchPlatform

/// The settings of `serve` for tests, as those of a stand-in.
struct TestSetup {
    private let settings: TestSettings

    init(_ settings: TestSettings) { self.settings = settings }

    /// Reads the script, and sets the faults, the clock and the paths; throws `.cancelled` if a signal comes first.
    func apply(to standIn: inout StandInGPSD.Settings, until signals: Event) throws(LocationError) {
        if let path = settings.script { standIn.script = try StandInScript(path: path, until: signals) }
        standIn.script.steps = settings.faults + standIn.script.steps
        standIn.control = settings.control
        standIn.terminal = settings.terminal
        if settings.hasManualClock {
            standIn.clock = .manual
            standIn.advance = .paced(.recorded)
        }
    }

    /// Returns whether a failure is that of a path of the control socket or of the terminal.
    static func isPathFailure(_ failure: SystemFailure) -> Bool {
        [EEXIST, EBUSY, ENOENT, ENOTDIR, ENAMETOOLONG, EROFS, ENOSPC].contains(failure.code)
    }
}
