import Foundation
import Testing

/// The effects of all documented options and variables.
@Suite struct OptionTableTests {
    private static let withVariable = OptionTrial.all.filter { variables.contains($0.variable) }

    /// The options with a variable according to the manual; a test compares them.
    private static let variables = Set(
        [
            "json", "format", "csv", "states", "sky", "degrees", "units", "precision", "color", "count", "timeout",
            "duration", "accuracy", "max-age", "fix", "distance", "interval", "dwell", "device", "pace", "no-reconnect",
            "listen", "port", "quiet", "verbose", "revisions", "utc", "stale", "all-devices", "ascii", "tiles",
        ].map { OptionTrial($0, in: "").variable })

    @Test func `every option and every variable has a trial`() async throws {
        let completions = try await Locwatch.run(
            "for c in $($LW __complete bash 'locwatch help '); do $LW __complete bash \"locwatch $c -\" -; done"
        ).output
        let options = Set(
            completions.split(separator: "\n").filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) })
        #expect(options == Set(OptionTrial.all.map(\.name)))
        #expect(OptionTrial.all.count == options.count)
        let manual = try await Locwatch.run("$LW help manual").output
        let variables = Set(manual.matches(of: /\\fB(LOCWATCH_[A-Z_]+)\\fR/).map { String($0.1) })
        let ofHooks = Set(["EVENT", "REASON", "TIME", "FENCE"].map { "LOCWATCH_\($0)" })
        let secrets = Set(["SOURCE", "PASSWORD", "TOKEN"].map { "LOCWATCH_\($0)" })
        #expect(variables.subtracting(ofHooks) == Self.variables.union(secrets))
    }

    @Test(arguments: OptionTrial.all)
    func `an option has its effect`(trial: OptionTrial) async throws {
        #expect(try await trial.isInEffect(trial.words))
        if trial.endsWithout { #expect(try await !trial.isInEffect("")) }
    }

    @Test(arguments: withVariable)
    func `a variable has the same effect, and an option overrides it`(trial: OptionTrial) async throws {
        let environment = [trial.variable: trial.value ?? "1"]
        #expect(try await trial.isInEffect("", environment))
        if let winner = trial.beatenBy { #expect(try await !trial.isInEffect(winner, environment)) }
    }

    @Test(arguments: withVariable.filter { $0.bad != nil })
    func `a variable with an invalid value is named in the error`(trial: OptionTrial) async throws {
        let run = try await Locwatch.run(
            trial.line.replacing("@", with: ""), environment: [trial.variable: trial.bad ?? ""])
        #expect(run.code == 64, "\(run.errors)")
        #expect(
            run.errors.hasPrefix(#"locwatch: invalid value "\#(trial.bad ?? "")" for \#(trial.variable): expected "#),
            "\(run.errors)")
    }

    @Test func `the source can be set by a variable, and an operand overrides it`() async throws {
        let walk = ["LOCWATCH_SOURCE": "replay:\(Locwatch.package.path)/Fixtures/walk/session.json"]
        #expect(try await Locwatch.run("$LW once", environment: walk).output.contains("45.0548"))
        let other = try await Locwatch.run("$LW once $FIXTURES/no-fix/session.json", environment: walk)
        #expect(other.code == 75, "\(other.output)")
        let bad = try await Locwatch.run("$LW once", environment: ["LOCWATCH_SOURCE": "sim:wlk"])
        #expect(bad.code == 64)
        #expect(bad.errors.hasPrefix("locwatch: LOCWATCH_SOURCE: "), "\(bad.errors)")
    }
}
