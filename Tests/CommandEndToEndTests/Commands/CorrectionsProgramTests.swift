import Foundation
import GPSDSimulation
import TestSupport
import Testing

/// The program with a caster that gives a receiver corrections.
@Suite(.serialized, .withFew) struct CorrectionsProgramTests {
    @Test func `the receiver gets what the caster sends, and the output says so without the password`() async throws {
        let receiver = try SimulatedReceiver(.rtk, settings: with(.init()) { $0.speedup = 2 })
        let caster = Caster(login: "joe:s3cr3t")
        defer {
            caster.stop()
            receiver.stop()
        }
        let url = "ntrip://joe@127.0.0.1:\(caster.port)/\(Caster.mountpoint)"
        let program = try Locwatch(
            "exec $LW -jv serial:\(receiver.path)?corrections=\(url)", environment: ["LOCWATCH_PASSWORD": "s3cr3t"])
        try await program.wait { $0.output.contains(#""quality":"rtkFloat""#) }
        try await program.wait { _ in receiver.progress.bytesReceived > 5000 }
        let gpsd = RunningProcess(try #require(program.daemon))
        #expect(!RunningProcess.all.contains { $0.text("cmdline").contains("s3cr3t") })
        #expect(!gpsd.text("environ").contains("s3cr3t"))
        let words = gpsd.words
        #expect(words.contains("-p") && !words.contains("-b") && !words.contains { $0.contains("ntrip") })
        caster.stop()
        try await program.wait { $0.output.contains(#""arriving":false"#) }
        let count = try Events.of("location", in: program.output).count
        try await program.wait { try! Events.of("location", in: $0.output).count > count + 2 }
        #expect(try await program.end(by: SIGINT) == 130)
        let notices = try Events.of("notice", in: program.output).filter { $0["code"] as? String == "corrections" }
        #expect(notices.first?["arriving"] as? Bool == true && notices.first?["source"] as? String == url)
        #expect(notices.last?["fault"] as? String == "unreachable")
        let fixed = try Events.of("location", in: program.output).first { $0["quality"] as? String == "rtkFloat" }
        #expect(fixed?["dgpsAge"] as? Double == 1 && fixed?["dgpsSta"] as? Int == 77)
        #expect(program.errors.contains("the private gpsd writes to the receiver: the corrections from \(url)"))
        #expect(!(program.output + program.errors).contains("s3cr3t"))
        #expect(!gpsd.isRunning)
    }
}
