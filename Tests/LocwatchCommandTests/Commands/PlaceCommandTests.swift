import LocationCore
import LocationTesting
import LocwatchArguments
import LocwatchSession
import LocwatchTerminal
import TestSupport
import Testing

@testable import LocwatchCommand

/// The command `where`, which prints the names of the fences that the position is in.
final class PlaceCommand: Command, PrintingConsumer {
    static let entry = CommandEntry(
        "place", operands: [.source], options: ["fence", "timeout"],
        summary: "print the fences that the position is in",
        examples: ["locwatch where --fence home=45.0703,7.6869,150": "is it home?"])

    let output: OutputChannel

    static func run(_ session: CommandSession) -> ExitCode { session.run(SessionPlan(PlaceCommand(session.output()))) }

    private init(_ output: OutputChannel) { self.output = output }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        guard case .update(let event, .current) = update, case .location(let here) = event.event else { return nil }
        for name in view.fenceNames where view.isInside(name, device: here.device) == true {
            try output.put { $0.put(name + "\n") }
        }
        return .count
    }
}

/// Tests of the command that CONTRIBUTING names as an example of a new one.
@Suite(.serialized, .withClocks) struct PlaceCommandTests {
    @Test func `the example of a new command prints the fence that the position is in`() async throws {
        let line = "once -t 30s --fence home=45,7,150 --fence away=46,7,150 x"
        let result = try await CommandTrial.run(line, [.location(45, 7), .end], as: PlaceCommand.self)
        #expect(result.code == .done && result.output == "home\n", "\(result)")
    }

    @Test func `the example of a new command gives the reason without a position`() async throws {
        let script: [ScriptStep] = [.searching(.noFix(seen: 7, used: 2, best: 31)), .hang]
        let result = try await CommandTrial.run("once -t 30s --fence home=45,7,150 x", script, as: PlaceCommand.self)
        #expect(result.code == .noFix && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains("7 satellites seen"), "\(result.errors)")
    }

    @Test func `the example of a new command takes declared options only`() {
        #expect(Set(OptionTable.all.map(\.name)).isSuperset(of: PlaceCommand.entry.options))
    }
}
