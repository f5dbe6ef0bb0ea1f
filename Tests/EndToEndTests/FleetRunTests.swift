import Foundation
import LocwatchPlatform
import TestSupport
import Testing

@testable import locwatch_dev

/// Simulated fleets on Debian's mosquitto.
@Suite(.serialized) struct FleetRunTests {
    /// A broker on a free port, ended with the value.
    private final class Broker {
        let word: String
        let child: ChildProcess
        private let folder: Scratch

        init(_ lines: String) throws {
            let port = try LoopbackPort.free()
            word = "mqtt://127.0.0.1:\(port)"
            folder = try Scratch()
            let file = folder.url.path + "/mosquitto.conf"
            let text = "listener \(port) 127.0.0.1\nallow_anonymous true\nuser root\n\(lines)\n"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            child = try ChildProcess(path: "/usr/sbin/mosquitto", arguments: ["-c", file], environment: [:])
            let end = ContinuousClock.now + .seconds(30)
            while true {
                if let connection = try? LoopbackPort.connect(to: port) {
                    close(connection)
                    return
                }
                guard child.endingIfAny == nil, ContinuousClock.now < end else { throw FleetFailure("no mosquitto") }
                usleep(5_000)
            }
        }

        deinit { child.end() }
    }

    private func report(_ broker: Broker, _ options: String) throws -> FleetReport {
        let words = options.split(separator: " ").map(String.init) + [broker.word]
        var run = try FleetRun(#require(FleetOptions(words)))
        return try run.run()
    }

    @Test(arguments: ["--qos 0", "--qos 1", "--qos 1 --in-flight 1 --no-retain", "--scenario tunnel --rate 5"])
    func `everything arrives once and in order`(options: String) throws {
        let broker = try Broker("max_inflight_messages 0\nmax_queued_messages 0")
        let report = try report(broker, "--devices 40 --seconds 2 --pid \(broker.child.processID) \(options)")
        #expect(report.connections == 40)
        #expect(report.sent > 40 && report.received == report.sent)
        #expect(report.lost == 0 && report.duplicated == 0 && report.outOfOrder == 0 && report.queued == 0)
        #expect(report.latencies.count == 3)
        #expect(report.brokerMemory.allSatisfy { $0 > 1_000_000 })
        #expect(report.acknowledged == (options.hasPrefix("--qos 0") ? 0 : report.sent))
        #expect((report.withoutFix > 0) == options.hasPrefix("--scenario"))
    }

    @Test func `devices that reconnect at once lose nothing`() throws {
        let broker = try Broker("max_inflight_messages 0\nmax_queued_messages 0")
        let report = try report(broker, "--devices 100 --seconds 2 --reconnect 1")
        #expect(report.connections == 200 && report.secondsToReconnect != nil)
        #expect(report.lost == 0 && report.outOfOrder == 0 && report.queued == 0)
    }

    @Test func `a consumer whose session is kept gets what it missed, unless the broker's queue was too short`() throws
    {
        let options = "--devices 100 --rate 5 --seconds 3 --keep-sessions --end-consumer 0.5 --return-consumer 2.5"
        let kept = try report(Broker("max_inflight_messages 0\nmax_queued_messages 0"), options)
        #expect(kept.lost == 0 && kept.received == 1500)
        let dropped = try report(Broker("max_queued_messages 10"), options)
        #expect((dropped.lost ?? 0) > 500 && dropped.acknowledged == 1500)
        #expect(dropped.lossesAroundEnd != nil)
    }

    @Test func `the report is an object of JSON`() throws {
        let report = try report(Broker(""), "--devices 2 --seconds 1")
        let object = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Double]
        #expect(object?["received"] == 2 && object?["lost"] == 0 && object?["broker_cpu_percent"] == nil)
        let lines = report.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.prefix(3) == [["devices", "2"], ["connections", "2"], ["sent", "2"]])
    }

    @Test func `a broker that is not there is named`() throws {
        #expect(throws: FleetFailure.self) {
            var run = try FleetRun(#require(FleetOptions(["mqtt://host.invalid"])))
            _ = try run.run()
        }
    }
}
