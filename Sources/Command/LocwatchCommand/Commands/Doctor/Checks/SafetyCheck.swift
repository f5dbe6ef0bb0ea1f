import LocwatchPlatform
import LocwatchSession

/// The check of what the kernel can confine, in case a receiver, a log or a server is hostile.
///
/// A kernel that confines a part is in order, because only another kernel would confine more.
enum SafetyCheck {
    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        let missing = machine.confinement.missing.map { "this kernel cannot confine \($0)" }
        guard machine.confinement.isEmpty, let missing else {
            return .ok(
                "decoders and private daemons are confined: \(machine.confinement)" + (missing.map { "; \($0)" } ?? ""))
        }
        return .remark(
            "decoders and private daemons run with all of your rights", why: missing,
            remedy: "a later kernel confines what parses receivers' bytes: locwatch version -v")
    }
}
