import Foundation
import GPSDSimulation
import LocwatchPlatform
import TestSupport
import Testing

/// `serve` with sources other than recordings.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct RelayTests {
    /// Returns the objects of a class in the lines of a client.
    private func objects(_ kind: String, in text: String) -> [[String: Any]] {
        text.split(whereSeparator: \.isNewline).compactMap {
            let object = try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            return object?["class"] as? String == kind ? object : nil
        }
    }

    @Test func `gpspipe prints the same reports from a relay as from its gpsd, byte by byte`() async throws {
        let daemon = try LoopbackGPSD(.walk)
        let (server, port) = try await Locwatch.serving("127.0.0.1:\(daemon.port)")
        // The relay knows the receiver after its first report.
        #expect(try await Locwatch.run("$LW once -t 300s -q 127.0.0.1:\(port)").code == 0)
        let ports = ["\(daemon.port)", port]
        let clients = try ports.map { try Locwatch("exec timeout 300 gpspipe -w -n 50 127.0.0.1:\($0)") }
        for client in clients { try await client.wait { $0.output.contains(#""class":"TPV""#) } }
        for client in clients { #expect(try await client.end() == 0, "\(client.errors)") }
        let (real, relayed) = (clients[0].output, clients[1].output)
        for kind in ["VERSION", "WATCH"] {
            #expect(!objects(kind, in: real).isEmpty)
            #expect(NSArray(array: objects(kind, in: real)) == NSArray(array: objects(kind, in: relayed)), "\(kind)")
        }
        let devices = [real, relayed].map { text in
            (objects("DEVICES", in: text).first?["devices"] as? [[String: Any]] ?? []).map { device in
                // gpsd changes both without a notice, so the relay learns of it with its next question.
                NSDictionary(dictionary: device.filter { $0.key != "activated" && $0.key != "flags" })
            }
        }
        #expect(devices[0].count == 1 && devices[0] == devices[1], "\(devices)")
        for kind in ["TPV", "SKY"] {
            let lines = [real, relayed].map { text in
                text.split(whereSeparator: \.isNewline).filter { $0.contains(#""class":"\#(kind)""#) }
            }
            let common = Set(lines[0]).intersection(lines[1])
            #expect(common.count >= 4, "\(kind): \(lines)")
            // One client begins and ends an epoch before the other.
            #expect(lines[1].count - lines[1].count { common.contains($0) } <= 8, "\(kind): \(lines)")
        }
        try await server.stop()
    }

    @Test func `gpscsv, Python, cgps, gpsmon and the program show the same position from both`() async throws {
        let daemon = try LoopbackGPSD(.walk)
        let (server, port) = try await Locwatch.serving("127.0.0.1:\(daemon.port)")
        for port in ["\(daemon.port)", port] {
            let own = try await Locwatch.run("$LW once -t 300s -f '%{lat:.2} %{lon:.2}' 127.0.0.1:\(port)")
            #expect(own.output == "45.05 7.69\n", "\(own.output)\(own.errors)")
            let table = try await Locwatch.run("timeout 300 gpscsv -n 2 -f lat,lon 127.0.0.1:\(port)")
            #expect(
                table.output.split(separator: "\n").last?.contains("45.05") == true, "\(table.output)\(table.errors)")
            let python = try await Locwatch.run(
                #"""
                exec timeout 300 /usr/bin/python3 -c '
                import gps
                session = gps.gps(host="127.0.0.1", port="\#(port)", mode=gps.WATCH_ENABLE)
                while session.fix.mode < 3: session.next()
                print("%.2f %.2f" % (session.fix.latitude, session.fix.longitude), len(session.device) > 0)
                '
                """#)
            #expect(python.output == "45.05 7.69 True\n", "\(python.output)\(python.errors)")
            let screen = try Locwatch("exec cgps -s 127.0.0.1:\(port)", screen: .terminal(columns: 100))
            try await screen.wait { $0.output.contains(" 45.05") }
            try await screen.stop()
            // gpsmon shows the sentences too, which gpsd's protocol calls raw data.
            let sentences = try Locwatch("exec gpsmon 127.0.0.1:\(port)", screen: .terminal(columns: 100))
            try await sentences.wait { $0.output.contains("4503.") && $0.output.contains("$GNGGA,") }
            try await sentences.stop()
        }
        try await server.stop()
    }

    @Test func `while the daemon is away the receiver is closed, and it comes back`() async throws {
        let daemon = try LoopbackGPSD(.walk)
        let (server, port) = try await Locwatch.serving("127.0.0.1:\(daemon.port)")
        let client = try Locwatch("exec $LW -j 127.0.0.1:\(port)")
        try await client.wait { $0.output.contains(#""event":"location""#) }
        daemon.kill()
        try await client.wait { $0.output.contains(#""reason":"deviceLost""#) }
        let poll = try await Locwatch.run("$LW devices -j 127.0.0.1:\(port)")
        #expect(!poll.output.contains(daemon.receivers[0].path), "\(poll.output)")
        let before = client.lines.count
        try daemon.start()
        try await client.wait { $0.lines.dropFirst(before).contains { $0.contains(#""event":"location""#) } }
        #expect(server.errors.contains("locwatch: "))
        try await client.stop()
        try await server.stop()
    }

    @Test func `a simulated receiver, a stream and a served session are sources too`() async throws {
        let folder = try Scratch()
        let nmea = ReservedPort().number
        let publisher = try Locwatch("exec $LW publish --queue memory tcp-listen://127.0.0.1:\(nmea) sim:walk")
        try await publisher.wait { _ in !LoopbackPort.isFree(nmea) }
        let (first, port) = try await Locwatch.serving("tcp://127.0.0.1:\(nmea)")
        let (second, last) = try await Locwatch.serving("127.0.0.1:\(port)")
        let run = try await Locwatch.run("$LW once -t 300s -j 127.0.0.1:\(last)", folder: folder.url)
        #expect(
            run.code == 0 && run.output.contains(#""device":"tcp://127.0.0.1:\#(nmea)""#), "\(run.output)\(run.errors)")
        let pipe = try await Locwatch.run("timeout 300 gpspipe -r -n 60 127.0.0.1:\(last)")
        #expect(pipe.output.contains("GGA,"), "\(pipe.output)")
        for run in [first, second, publisher] { try await run.stop() }
    }

    @Test func `a device of a fleet is a receiver`() async throws {
        let broker = try MosquittoServer()
        let (server, port) = try await Locwatch.serving("'mqtt://127.0.0.1:\(broker.port)/owntracks/+/+' --device boat")
        let client = try Locwatch("exec $LW -j 127.0.0.1:\(port)")
        try await client.wait { $0.output.contains(#""reason":"noDevice""#) }
        let boats = try Locwatch(
            #"""
            while sleep 0.2; do
                for boat in boat other; do
                    mosquitto_pub -h 127.0.0.1 -p \#(broker.port) -t owntracks/anna/$boat \
                        -m "{\"_type\":\"location\",\"lat\":45.5,\"lon\":7.5,\"tst\":$(date +%s)}" || exit
                done
            done
            """#)
        try await client.wait { $0.output.contains(#""lat":45.5"#) || !boats.errors.isEmpty }
        #expect(boats.errors.isEmpty, "\(boats.errors)")
        #expect(client.output.contains(#"anna/boat""#) && !client.output.contains("other"), "\(client.output)")
        try await boats.stop()
        try await client.stop()
        try await server.stop()
    }

    @Test func `another address says in the first line who can read`() async throws {
        let port = ReservedPort().number
        let server = try Locwatch("exec $LW serve --listen 0.0.0.0:\(port) sim:walk")
        try await server.wait { $0.errors.contains("serving") }
        #expect(
            server.errors.hasPrefix(
                "locwatch: serving sim:walk at 0.0.0.0:\(port), where every machine that reaches this one can read the position"
            ),
            "\(server.errors)")
        try await server.stop()
    }
}
