import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The check of what a hostile receiver, log or server could do: the bugs of the installed gpsd that are public, and what
/// the kernel can confine.
enum SafetyCheck: Check {
    static let name = CheckName.safety

    static func examine(_ observation: Observation, _ machine: any MachineView) -> CheckAnswer {
        let missing = machine.confinement.missing
        let found =
            machine.confinement.isEmpty
            ? "decoders and private daemons run with all of your rights"
            : "decoders and private daemons are confined: \(machine.confinement)"
        let bugs = observation.isHere ? machine.gpsd?.release.map { GPSDAdvisory.all(for: $0) } ?? [] : []
        guard let release = machine.gpsd?.release, !bugs.isEmpty else {
            guard let missing else { return .found(.ok(found)) }
            return .found(
                .remark(
                    found, why: "this kernel cannot confine \(missing)",
                    remedy: ["a later kernel confines more of what parses receivers' bytes: locwatch version -v"]))
        }
        let words = bugs.map { "\($0.bugs) (\($0.published), \($0.source))" }.joined(separator: "; ")
        return .found(
            .remark(
                "gpsd \(release.printable) is a release with public bugs; \(found)",
                why: words + (missing.map { "; this kernel cannot confine \($0)" } ?? ""),
                remedy: [
                    "install the updates of your distribution, which repairs some bugs without another release: "
                        + machine.install("gpsd")
                ]))
    }
}
