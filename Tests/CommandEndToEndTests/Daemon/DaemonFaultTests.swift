import GPSDSimulation
import GPSDProtocol
import TestSupport
import Testing

/// The program with a faulty daemon; `StandInFaultClientTests` has more faults.
@Suite(.serialized, .withFew) struct DaemonFaultTests {
    private static let complaint = Array((#"{"class":"ERROR","message":"a complaint"}"# + "\r\n").utf8)

    @Test(
        arguments: [
            (.http, 76), (.closesAtOnce, 69), (.reset(.after(line: 9)), 69), (.hangUp(.within(line: 9, byte: 30)), 69),
            (.garbage(bytes: 300, .before(line: 9)), 0), (.longLine(bytes: 200_000, beforeLine: 9), 0),
            (.devices(count: 20), 0), (.insert(complaint, .before(line: 9)), 0),
        ] as [(StandInFault, Int32)])
    func `the program ends as expected and writes whole lines`(fault: StandInFault, code: Int32) async throws {
        var settings = StandInGPSD.Settings()
        settings.advance = .paced(.times(100))
        settings.faults = [fault]
        for command in ["watch -j -n 12", "record -x \(code == 0 ? "1s" : "60s") -"] {
            let daemon = try StandInGPSD(StandInRecording(path: Locwatch.fixture("walk")), settings: settings)
            let run = try await Locwatch.run("$LW \(command) --no-reconnect 127.0.0.1:\(daemon.port)")
            #expect(run.code == code, "\(command): \(run.errors)")
            // Without an output for it, the message of a daemon goes to standard error.
            let errors = run.errors.replacing("locwatch: gpsd: a complaint\n", with: "")
            #expect(errors.isEmpty == (code == 0), "\(run.errors)")
            #expect(errors == run.errors || command.hasPrefix("record"))
            guard command.hasPrefix("watch") else { continue }
            #expect(try Events.of("start", in: run.output).count == 1)
            #expect(try Events.of("end", in: run.output).count == 1)
            guard code == 0 else { continue }
            let times = try Events.of("location", in: run.output).map { $0["time"] as? String }
            #expect(times.count == 12 && Set(times).count == 12, "no epoch comes twice: \(times)")
        }
    }
}
