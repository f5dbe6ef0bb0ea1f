import TestSupport
import Testing

/// The effects of all documented options and variables.
@Suite(.serialized, .withFew) struct OptionTableTests {
    @Test func `every option has a trial, and the manual names every variable`() async throws {
        let completions = try await Locwatch.run(
            "for c in $($LW __complete bash 'locwatch help '); do $LW __complete bash \"locwatch $c -\" -; done"
        ).output
        let options = Set(
            completions.split(separator: "\n").filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) })
        #expect(options == Set(OptionTrial.all.map(\.name)))
        #expect(OptionTrial.all.count == options.count)
        let manual = try await Locwatch.run("$LW help manual").output
        let variables = Set(manual.matches(of: /\\fB(LOCWATCH_[A-Z_]+)\\fR/).map { String($0.1) })
        let ofHooks = Set(["", "_REASON", "_TIME", "_FENCE", "_DEVICE", "_ACCURACY"].map { "LOCWATCH_EVENT\($0)" })
        let own = Set(["SOURCE", "PASSWORD", "TOKEN", "CONFIG"].map { "LOCWATCH_\($0)" })
        #expect(variables.subtracting(ofHooks) == own)
    }

    @Test(arguments: OptionTrial.all)
    func `an option has its effect`(trial: OptionTrial) async throws {
        #expect(try await trial.isInEffect(trial.words))
        if trial.endsWithout { #expect(try await !trial.isInEffect("")) }
    }

    /// The options that make no sense in a file, and those that are for publish only there.
    private static let ofCommandLine: Set = [
        "config", "no-config", "help", "version", "check", "to", "at", "average", "rate",
    ]

    @Test(arguments: OptionTrial.all.filter { !ofCommandLine.contains($0.name) })
    func `a line of the configuration has the same effect`(trial: OptionTrial) async throws {
        #expect(try await trial.isInEffect("", configuration: trial.configuration))
    }
}
