import TestSupport
import Testing

/// The documented variables of the environment.
@Suite(.serialized, .withFew) struct VariableTests {
    @Test func `the manual names every variable`() async throws {
        let manual = try await Locwatch.run("$LW help manual").output
        let variables = Set(manual.matches(of: /\\fB(LOCWATCH_[A-Z_]+)\\fR/).map { String($0.1) })
        let ofHooks = Set(["", "_REASON", "_TIME", "_FENCE", "_DEVICE", "_ACCURACY"].map { "LOCWATCH_EVENT\($0)" })
        let own = Set(["SOURCE", "PASSWORD", "TOKEN", "CONFIG"].map { "LOCWATCH_\($0)" })
        #expect(variables.subtracting(ofHooks) == own)
    }
}
