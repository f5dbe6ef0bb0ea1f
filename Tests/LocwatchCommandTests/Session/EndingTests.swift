import LocationCore
import LocwatchArguments
import TestSupport
import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests of what a session says at its end, by the needs and the result of its command.
@Suite(.serialized, .alone) struct EndingTests {
    private static let shortfall = LocationError.noFix(.nothingHeard(after: .seconds(5)))
    private static let absence = LocationError.daemonUnavailable(cause: "absent")
    private static let own = LocationError.daemonUnavailable(cause: "the command's own reason")

    private func ending(_ outcome: SessionOutcome, absence: LocationError? = nil) -> Ending {
        Ending(outcome, at: ScriptedSession.moment(5), shortfall: Self.shortfall, absence: absence)
    }

    private static let needs: [SessionNeeds] = [[], .answer, .position, [.answer, .position]]

    @Test(arguments: needs, [SessionEnd.Reason.ended, .duration, .interrupted])
    func `a command without a position lacks one only if it needs one`(
        needs: SessionNeeds, reason: SessionEnd.Reason
    ) {
        let ending = ending(.ended(reason))
        let lack: Conclusion = needs.contains(.position) ? .lack(Self.shortfall) : .code(.done)
        #expect(ending.conclusion(of: .done(), needing: needs) == lack)
        #expect(ending.conclusion(of: .done(positions: 1), needing: needs) == .code(.done))
        #expect(ending.conclusion(of: .done(code: .unavailable), needing: needs) == .code(.unavailable))
    }

    @Test(arguments: needs)
    func `an absent source is a failure of a command that needs an answer, with positions too`(needs: SessionNeeds) {
        let ending = ending(.ended(.ended), absence: Self.absence)
        for positions in [0, 2] {
            let other: Conclusion =
                needs.contains(.position) && positions == 0 ? .lack(Self.shortfall) : .code(.done)
            #expect(
                ending.conclusion(of: .done(positions: positions), needing: needs)
                    == (needs.contains(.answer) ? .absence(Self.absence) : other))
        }
    }

    @Test(arguments: needs)
    func `a timeout fails with the reason of the session, unless the command has found what it looked for`(
        needs: SessionNeeds
    ) {
        let ending = ending(.ended(.timeout), absence: Self.absence)
        #expect(ending.conclusion(of: .done(positions: 3), needing: needs) == .lack(Self.shortfall))
        #expect(ending.conclusion(of: .found(.negative), needing: needs) == .code(.negative))
        let lacking = CommandResult.lacking(Self.own, advice: "wait")
        #expect(ending.conclusion(of: lacking, needing: needs) == .lack(Self.own, advice: "wait"))
    }

    @Test(arguments: needs)
    func `the own judgement of a command counts, whatever the session lacks`(needs: SessionNeeds) {
        let ending = ending(.ended(.ended), absence: Self.absence)
        #expect(ending.conclusion(of: .found(), needing: needs) == .code(.done))
        #expect(ending.conclusion(of: .unanswered(Self.own), needing: needs) == .absence(Self.own))
        #expect(ending.conclusion(of: .lacking(Self.own), needing: needs) == .lack(Self.own))
        #expect(ending.error(after: .failed(Self.own)) == Self.own)
    }

    @Test func `the error of a session ends its command, unless that has found what it looked for`() {
        var ending = ending(.failed(Self.absence))
        let results: [CommandResult] = [.done(positions: 1), .lacking(Self.own), .unanswered(Self.own)]
        for result in results { #expect(ending.error(after: result) == Self.absence) }
        #expect(ending.error(after: .found()) == nil)
        // A signal can come while the consumers still work: the command may not have done all.
        ending.outcome = .signal(15)
        #expect(ending.error(after: .found()) == Self.absence && ending.reason == .interrupted)
    }
}
