import LocationCore
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

/// The conclusions of `doctor` where a fix arrives in spite of a fault.
@Suite(.serialized, .alone) struct DoctorVerdictTests {
    private static let greeted = LocationEvent.searching(.connected(release: "3.22"))
    private static let position = LocationEvent.location(ScriptedSession.location(4))

    @Test func `a refused watch is a fault, even if questions are answered with positions`() throws {
        let refusal = LocationError.denied(what: "the watch of localhost", cause: "gpsd: no\u{7}")
        let observation = Observation.of(telling: [
            Self.greeted, .authorization(.denied), .failure(refusal), Self.position,
        ])
        let findings = observation.findings(PretendedMachine())
        let finding = try #require(findings.last)
        #expect(finding.name == .devices && finding.finding.code == .denied)
        #expect(!finding.finding.found.contains("\u{7}"))
        #expect(Diagnosis(findings).verdict.hasPrefix("no fix: the watch is refused: gpsd: no"))
    }

    @Test func `a fault of the corrections does not deny the fix`() {
        let fault = Finding.fault(.unavailable, "no corrections from ntrip://caster", why: "refused", remedy: ["wait"])
        let arrived = Diagnosis([(.fix, .ok("3D fix")), (.caster, fault)])
        #expect(arrived.verdict == "a fix arrives, but no corrections from ntrip://caster")
        #expect(arrived.code == .unavailable)
        let missing = Diagnosis([(.sky, .ok("no satellites")), (.caster, fault)])
        #expect(missing.verdict == "no fix: no corrections from ntrip://caster")
    }
}
