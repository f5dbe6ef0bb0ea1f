import LocationCore
import LocationGPSD
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests of faults of the machine and its gpsd that cannot be produced for real, and of the verdicts.
@Suite struct DoctorChecksTests {
    @Test func `a healthy system has no warnings`() {
        let findings = DoctorSession.healthy().findings(PretendedMachine())
        #expect(findings.map(\.name) == [.programs, .daemon, .greeting, .devices, .bytes, .sky, .fix, .clock, .safety])
        #expect(findings.allSatisfy { $0.finding.result == .ok }, "\(findings)")
        let diagnosis = Diagnosis(findings)
        #expect(diagnosis.code == .done)
        #expect(diagnosis.verdict == "all is well: 3D fix, accurate to 5.4 m")
    }

    @Test func `the check of the programs claims nothing about a host that was not reached`() throws {
        let remote = SourceWord.gpsd(GPSDEndpoint(host: "nosuch.invalid"))
        let machine = with(PretendedMachine()) { $0.gpsd = nil }
        let unresolvable = LocationError.unresolvable(host: "nosuch.invalid", port: 2947, cause: "no such host")
        let other = LocationError.notGPSD(host: "localhost", port: "2947", answer: "SSH-2.0")
        for (observation, found) in [
            (Observation.of(remote, failure: unresolvable), "gpsd is needed on nosuch.invalid only"),
            (.of(failure: other), "gpsd is not installed here"),
            (DoctorSession.healthy(), "gpsd is not installed here, but one answers at localhost:2947"),
        ] { #expect(observation.findings(machine).first?.finding.found == "libgps 3.22; \(found)") }
    }

    @Test func `a built-in libgps can have any release`() throws {
        let machine = with(PretendedMachine()) { ($0.libgps, $0.libgpsIsBuiltIn) = ("3.25", true) }
        #expect(DoctorSession.healthy().findings(machine).allSatisfy { $0.finding.result == .ok || $0.name == .safety })
    }

    @Test(arguments: [
        (DeviceStatus.Activity.silent, "no datagrams with a receiver's data come to port 3111 of this machine"),
        (.babbling, "it is not the data of a receiver"),
    ])
    func `the advice about datagrams that gpsd reads speaks of no serial line`(
        activity: DeviceStatus.Activity, why: String
    ) throws {
        let device = DeviceStatus(path: "udp://127.0.0.1:3111", activity: activity)
        let observation = Observation.of(.standard, telling: [DoctorSession.greeted, .device(device)])
        let finding = BytesCheck.examine(observation, PretendedMachine())
        #expect(finding.why?.contains(why) == true, "\(finding)")
        #expect(finding.remedy == ["look at the datagrams: sudo tcpdump -n -A -c 5 udp port 3111"])
    }

    @Test func `a gpsd that was ready shortly before the end says nothing about its receiver`() throws {
        let source = DoctorSession.serial
        var observation = Observation.of(source, telling: [DoctorSession.greeted])
        observation.passTime(to: ScriptedSession.moment(1.6))
        let (name, finding) = try DoctorSession.first(observation)
        #expect(name == .bytes && finding.code == .noFix)
        #expect(finding.found == "no report from the receiver in 0.6 s")
        #expect(finding.remedy == ["wait longer: locwatch doctor -t 15s serial:/dev/ttyACM0"])
        // A device that is gone is gone at once, and silence counts after a while.
        let machine = with(PretendedMachine()) { $0.files = [:] }
        var gone = Observation.of(source, telling: [DoctorSession.greeted, DoctorSession.device(.idle)])
        #expect(BytesCheck.examine(gone, machine).found.contains("is gone"))
        gone.passTime(to: ScriptedSession.moment(9))
        #expect(BytesCheck.examine(gone, PretendedMachine()).found.contains("sends no readable data"))
        // Nothing is known of the receiver if gpsd was not ready at all.
        var early = Observation.of(source)
        early.passTime(to: ScriptedSession.moment(0.3))
        let late = try DoctorSession.first(early)
        #expect(late.name == .daemon)
        #expect(late.finding.remedy.first == "wait longer: locwatch doctor -t 15s serial:/dev/ttyACM0")
    }

    @Test func `what the kernel of Debian 12 cannot confine gives no remark, because no action clears it`() {
        var machine = PretendedMachine()
        machine.confinement = [.files, .calls]
        let confined = "decoders and private daemons are confined: "
        let missing = "device commands (Linux 6.10), TCP ports (Linux 6.7), signals (Linux 6.12)"
        let some = "\(confined)files, system calls; this kernel cannot confine \(missing)"
        #expect(SafetyCheck.examine(.of(), machine) == .ok(some))
        machine.confinement = .all
        let all = "\(confined)files, device commands, TCP ports, signals, system calls"
        #expect(SafetyCheck.examine(.of(), machine) == .ok(all))
        #expect(Diagnosis(DoctorSession.healthy().findings(machine)).verdict.hasPrefix("all is well"))
    }

    @Test(arguments: [
        SourceWord.standard, DoctorSession.serial, .of("sim:walk"),
        .of("serial:\(DoctorSession.path)?corrections=./rtcm"),
    ])
    func `no check waits once the session is over`(source: SourceWord) {
        for check in Check.all(for: source) {
            #expect(check.examine(Observation.of(source), PretendedMachine()) != .wait, "\(check.name)")
        }
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
