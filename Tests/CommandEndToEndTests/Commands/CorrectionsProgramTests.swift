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

    private static func url(_ caster: Caster, _ mountpoint: String = Caster.mountpoint) -> String {
        "ntrip://joe@127.0.0.1:\(caster.port)/\(mountpoint)"
    }

    /// Returns output without the breaks of its lines.
    private static func unwrapped(_ output: String) -> String {
        output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

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
        program.signal(SIGINT)
        #expect(try await program.end() == 130)
        let notices = try Events.of("notice", in: program.output).filter { $0["code"] as? String == "corrections" }
        #expect(notices.first?["arriving"] as? Bool == true && notices.first?["source"] as? String == url)
        #expect(notices.last?["fault"] as? String == "unreachable")
        let fixed = try Events.of("location", in: program.output).first { $0["quality"] as? String == "rtkFloat" }
        #expect(fixed?["dgpsAge"] as? Double == 1 && fixed?["dgpsSta"] as? Int == 77)
        #expect(program.errors.contains("the private gpsd writes to the receiver: the corrections from \(url)"))
        #expect(!(program.output + program.errors).contains("s3cr3t"))
        #expect(!Locwatch.isRunning(gpsd))
    }

    @Test func `text shows the age and the station, and the loss of the caster without an end`() async throws {
        let (receiver, caster) = try Self.start(Caster(login: "joe:s3cr3t"))
        defer { Self.stop(receiver, caster) }
        let program = try Locwatch(
            "exec $LW serial:\(receiver.path)?corrections=\(Self.url(caster))",
            screen: .terminal(columns: 120),
            environment: Self.password)
        try await program.wait { $0.output.contains("RTK float, 1.0 s old, station 77") }
        caster.stop()
        try await program.wait { $0.output.contains("no corrections from \(Self.url(caster)): Connection refused") }
        program.signal(SIGINT)
        #expect(try await program.end() == 130)
    }

    @Test(
        arguments: [
            (Caster.Manner.corrections, "joe:other", Caster.mountpoint, 77, "refuses the user or the password"),
            (.corrections, nil, "NONE", 66, "does not have this mountpoint"),
            (.silent, nil, Caster.mountpoint, 69, "nothing arrives"),
            (.garbage, nil, Caster.mountpoint, 76, "not RTCM 3"),
            (.page, nil, Caster.mountpoint, 76, "does not answer as a caster does"),
        ] as [(Caster.Manner, String?, String, Int32, String)])
    func `doctor finds what is wrong with a caster`(
        manner: Caster.Manner, login: String?, mountpoint: String, code: Int32, words: String
    ) async throws {
        let (receiver, caster) = try Self.start(Caster(manner, login: login))
        defer { Self.stop(receiver, caster) }
        let run = try await Locwatch.run(
            "$LW doctor -t 30s serial:\(receiver.path)?corrections=\(Self.url(caster, mountpoint))",
            environment: Self.password)
        #expect(run.code == code, "\(run.output)\(run.errors)")
        #expect(Self.unwrapped(run.output).contains(words), "\(run.output)")
        #expect(!(run.output + run.errors).contains("s3cr3t"))
    }

    @Test func `doctor says whether the receiver uses the corrections`() async throws {
        let (receiver, caster) = try Self.start(Caster(login: "joe:s3cr3t"))
        defer { Self.stop(receiver, caster) }
        let used = try await Locwatch.run(
            "$LW doctor -t 30s serial:\(receiver.path)?corrections=\(Self.url(caster))",
            environment: Self.password)
        #expect(used.code == 0, "\(used.output)\(used.errors)")
        #expect(Self.unwrapped(used.output).contains("the receiver uses them: RTK"), "\(used.output)")
        let unused = try await Locwatch.run(
            "$LW doctor -t 20s sim:walk?corrections=\(Self.url(caster))", environment: Self.password)
        #expect(unused.code == 0, "\(unused.output)\(unused.errors)")
        #expect(Self.unwrapped(unused.output).contains("but the receiver does not use them"), "\(unused.output)")
    }
}
