import LocationCore
import LocationGPSD
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests of the check of the corrections of a receiver.
@Suite(.serialized, .withClocks) struct CorrectionsCheckTests {
    @Test func `without corrections there is nothing to say about them`() {
        #expect(CorrectionsCheck.examine(DoctorSession.healthy(), PretendedMachine()) == .moot)
    }

    @Test(
        arguments: [
            (.unresolvable, .unavailable, "getent hosts caster.example"), (.password, .denied, "--password-file"),
            (.mountpoint, .noInput, "curl -s --http0.9 http://caster.example:2101/"),
            (.answer, .notGPSD, "check the URL"), (.content, .notGPSD, "RTCM 3"),
            (.silent, .unavailable, "wait for a fix"), (.unreachable, .unavailable, "nc -vz caster.example 2101"),
            (.closed, .unavailable, "nc -vz caster.example 2101"), (.pipe, .noInput, "mkfifo"),
        ] as [(CorrectionsStatus.Fault, ExitCode, String)])
    func `each fault of the corrections has its code and its remedy`(
        fault: CorrectionsStatus.Fault, code: ExitCode, step: String
    ) {
        let finding = corrections(
            [.notice(.corrections(CorrectionsStatus(source: "ntrip://caster\u{7}", fault: fault, cause: "it is so")))])
        #expect(finding.result == .fault && finding.code == code && finding.why == "it is so")
        #expect(finding.remedy.joined(separator: " ").contains(step), "\(finding.remedy)")
        #expect(!finding.found.contains("\u{7}"))
    }

    @Test func `no password is shown`() async throws {
        let word = "serial:\(DoctorSession.path)?corrections=ntrip://joe:geheim@caster.example:2101/M"
        let refused = try await CommandTrial.run("doctor \(word)", [.end])
        #expect(refused.code == .usage && !(refused.output + refused.errors).contains("geheim"))
        let address = StreamAddress(.ntrip, host: "caster.example", user: "joe", mountpoint: "M")
        let source = CorrectionsSource(address, password: "geheim")
        let status = CorrectionsStatus(source: "\(source)", fault: .password)
        let finding = corrections([.notice(.corrections(status))])
        #expect(finding.found.contains("joe@caster.example") && !"\(finding)".contains("geheim"))
    }

    @Test func `corrections that arrive are in use, or are not`() {
        let arriving = LocationEvent.notice(.corrections(CorrectionsStatus(source: "ntrip://caster")))
        let positions = DoctorSession.positions { _, location in
            location.quality = .rtkFixed
            (location[.dgpsAge], location[count: .dgpsStation]) = (1.5, 77)
        }
        let used = "corrections arrive from ntrip://caster; the receiver uses them: RTK fixed, 1.5 s old, station 77"
        #expect(corrections([arriving] + positions) == .ok(used))
        let unused = corrections([arriving] + DoctorSession.positions())
        #expect(unused.result == .remark && unused.found.contains("but the receiver does not use them"))
        #expect(unused.remedy.first?.contains("?corrections=ntrip://joe@caster.example:2101/M") == true)
        #expect(corrections([]).result == .fault, "nothing is known of the caster")
    }

    private func corrections(_ events: [LocationEvent]) -> Finding {
        let source = SourceWord.of("serial:\(DoctorSession.path)?corrections=ntrip://joe@caster.example:2101/M")
        return CorrectionsCheck.examine(Observation.of(source, telling: events), PretendedMachine())
    }
}
