import Foundation
import GPSDSimulation
import TestSupport
import Testing

/// The program with a caster that gives a receiver corrections.
@Suite(.serialized, .alone) struct CorrectionsProgramTests {
    private static let password = ["LOCWATCH_PASSWORD": "s3cr3t"]

    /// Starts a caster and a receiver that plays twice as fast.
    private static func start(_ caster: Caster) throws -> (SimulatedReceiver, Caster) {
        var settings = SimulatedReceiver.Settings()
        settings.speedup = 2
        let receiver = try SimulatedReceiver(.rtk, settings: settings)
        caster.start()
        return (receiver, caster)
    }

    private static func stop(_ receiver: SimulatedReceiver, _ caster: Caster) {
        caster.stop()
        receiver.stop()
    }

    private static func url(_ caster: Caster) -> String { "ntrip://joe@127.0.0.1:\(caster.port)/\(Caster.mountpoint)" }

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
        let (receiver, caster) = try Self.start(Caster(login: "joe:s3cr3t"))
        defer { Self.stop(receiver, caster) }
        let url = Self.url(caster)
        let program = try Locwatch(
            "exec $LW -jv serial:\(receiver.path)?corrections=\(url)", environment: Self.password)
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

    @Test func `doctor says that the receiver uses the corrections, without the password`() async throws {
        let (receiver, caster) = try Self.start(Caster(login: "joe:s3cr3t"))
        defer { Self.stop(receiver, caster) }
        let used = try await Locwatch.run(
            "$LW doctor -t 30s serial:\(receiver.path)?corrections=\(Self.url(caster))",
            environment: Self.password)
        #expect(used.code == 0, "\(used.output)\(used.errors)")
        let words = used.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("the receiver uses them: RTK"), "\(used.output)")
        #expect(!(used.output + used.errors).contains("s3cr3t"))
    }
}
