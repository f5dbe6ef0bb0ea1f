import Foundation
import LocationCore
import LocationPublishing
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct OnePublicationTests {
    private static let position = "lat,lon,time\n48.2,16.3,2026-11-20T09:00:00.000Z\n"

    @Test func `a server that takes the request and does not answer has no more time than the limit`() async throws {
        let server = LoopbackPeer()
        server.listen()
        let started = ContinuousClock.now
        let result = try await CommandTrial.run(
            "once -t 1s --to http://127.0.0.1:\(server.port)/ @", reading: Self.position, as: "position.csv")
        // A request has half a minute by itself.
        #expect(ContinuousClock.now - started < .seconds(29))
        #expect(result.code == .unavailable && result.errors.contains("no answer within 1 s"), "\(result.errors)")
    }

    @Test(arguments: [("mqtt://", "/fleet/boat", []), ("mqtt+ha://", "", ["online"])])
    func `a position of once leaves a publication to the same target connected, and its status as it is`(
        scheme: String, path: String, status: [String]
    ) async throws {
        let broker = try LoopbackBroker()
        let word = "\(scheme)127.0.0.1:\(broker.port)\(path)"
        for command in ["publish --queue memory \(word)", "once --to \(word)"] {
            let result = try await CommandTrial.run("\(command) @", reading: Self.position, as: "position.csv")
            #expect(result.code == .done, "\(result.errors)")
        }
        let state = try await broker.wait(for: "both clients") { Set($0.clients).count == 2 }
        let words = state.published.filter { $0.topic.hasSuffix("/status") }.map {
            String(decoding: $0.payload, as: UTF8.self)
        }
        #expect(words == ["online", "offline"] + status)
        #expect(state.published.count { !$0.topic.hasSuffix("/status") && !$0.topic.hasSuffix("/config") } == 2)
    }

    @Test func `the first line of publish has the time of the beginning, also if it is printed at the end`()
        async throws
    {
        func line(after pause: Duration) async throws -> Substring? {
            let result = try await CommandTrial.run(
                "publish udp://127.0.0.1:9 --queue memory x",
                [.searching(.connected(release: "3.22")), .wait(pause), .end])
            return result.output.split(separator: "\n").last
        }
        let late = try await line(after: .seconds(5))
        #expect(try await line(after: .zero) == late && late?.contains("searching") == true)
    }

    @Test func `publish with --verbose prints each state once`() async throws {
        let result = try await CommandTrial.run(
            "publish -v udp://127.0.0.1:9 --queue memory x",
            [.searching(.connected(release: "3.22")), .location(52.5, 13.4), .wait(.seconds(1)), .end])
        let text = result.output + result.errors
        for state in ["connected to gpsd", "3D fix", "2D fix"] {
            #expect(text.components(separatedBy: state).count <= 2, "\(text)")
        }
        #expect(text.contains("found"), "\(text)")
    }
}
