import Foundation
import GPSDSimulation
import TestSupport
import Testing

/// The program with a caster that gives a receiver corrections.
@Suite(.serialized, .alone) struct CorrectionsProgramTests {
    /// Fails if a process of this machine shows the password in its arguments, or gpsd in its environment.
    private static func expectNoPassword(_ program: Locwatch) throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
        for id in folders {
            let names = id == program.daemon ? ["cmdline", "environ"] : ["cmdline"]
            for name in names {
                let text = (try? Data(contentsOf: URL(filePath: "/proc/\(id)/\(name)"))) ?? Data()
                #expect(!String(decoding: text, as: UTF8.self).contains("s3cr3t"), "\(id) \(name)")
            }
        }
    }

    @Test func `the receiver gets what the caster sends, and the output says so without the password`() async throws {
        var settings = SimulatedReceiver.Settings()
        settings.speedup = 2
        let receiver = try SimulatedReceiver(.rtk, settings: settings)
        let caster = Caster(login: "joe:s3cr3t")
        caster.start()
        defer {
            caster.stop()
            receiver.stop()
        }
        let url = "ntrip://joe@127.0.0.1:\(caster.port)/\(Caster.mountpoint)"
        let program = try Locwatch(
            "exec $LW -jv serial:\(receiver.path)?corrections=\(url)", environment: ["LOCWATCH_PASSWORD": "s3cr3t"])
        try await program.wait { $0.output.contains(#""quality":"rtkFloat""#) }
        try await program.wait { _ in receiver.progress.bytesReceived > 5000 }
        try Self.expectNoPassword(program)
        let gpsd = try #require(program.daemon)
        let words = String(decoding: try Data(contentsOf: URL(filePath: "/proc/\(gpsd)/cmdline")), as: UTF8.self)
            .split(separator: "\0").map(String.init)
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
        #expect(!Locwatch.isRunning(gpsd))
    }
}
