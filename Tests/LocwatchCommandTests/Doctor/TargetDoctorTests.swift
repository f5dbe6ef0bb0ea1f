import Foundation
import LocationCore
import LocationPublishing
import GPSDProtocol
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests of `doctor` on targets and fleets, over a scripted broker on a loopback port.
@Suite(.serialized, .withFew) struct TargetDoctorTests {
    private func doctor(_ line: String, environment: [String: String] = [:]) async throws -> CommandTrial.Result {
        try await CommandTrial(environment: environment).run("doctor " + line)
    }

    /// The faults of a broker, and the texts of doctor about it.
    struct Broker: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let faults: [[BrokerFault]]
        /// The target, with HERE in the place of the broker's address.
        let target: String
        let code: ExitCode
        let says: [String]

        init(
            _ name: String, _ faults: [BrokerFault]..., target: String = "mqtt://HERE/owntracks/anna/boat",
            ends code: ExitCode, says: String...
        ) {
            (testDescription, self.faults, self.target, self.code, self.says) = (name, faults, target, code, says)
        }
    }

    private static let homeAssistant = "mqtt+ha://HERE --device-name boat"
    private static let (boat, status) = ("owntracks/anna/boat", "locwatch/boat/status")
    private static let discovery = "homeassistant/device_tracker/locwatch_boat/config"

    private static let brokers = [
        Broker("a topic that can be written and read", ends: .done, says: "a message to \(boat) came back all is well"),
        Broker(
            "a topic that the broker forbids silently", [.refusesVersion5], [.dropsMessages], ends: .denied,
            says: "fault topic", "topic readwrite \(boat)"),
        Broker(
            "a topic that the broker refuses", [.refusesMessages(to: boat, reason: 0x87)], ends: .denied,
            says: "the broker refused a message to \(boat): not"),
        Broker(
            "a broker that forbids the discovery of Home Assistant", [.refusesMessages(to: discovery, reason: 0x87)],
            target: homeAssistant, ends: .denied,
            says: "a message to \(status) came back", "the broker refused a message to \(discovery): not authorized"),
        Broker(
            "a fault of one topic, which does not hide another", [.refusesMessages(to: status, reason: 0x87)],
            target: homeAssistant, ends: .denied,
            says: "ok topic a message to \(discovery) came back",
            "not arrive: the broker refused a message to \(status)"),
        Broker(
            "a refused user", [.refuses(code: 5)], target: "mqtt://anna@HERE/\(boat)", ends: .denied,
            says: "fault server", "check the user and the password"),
        Broker(
            "a server that does not speak MQTT", [.garbage(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8))],
            target: homeAssistant, ends: .unavailable, says: "is not an MQTT broker"),
    ]

    @Test(arguments: brokers)
    func `doctor says whether a broker takes the positions, and never repeats the password`(broker: Broker) async throws
    {
        let server = try LoopbackBroker(broker.faults)
        let target = broker.target.replacing("HERE", with: "127.0.0.1:\(server.port)")
        let result = try await doctor(target, environment: target.contains("@") ? ["LOCWATCH_PASSWORD": "secret"] : [:])
        #expect(result.code == broker.code, "\(result.output)")
        for text in broker.says { #expect(result.unwrapped.contains(text), "\(result.output)") }
        #expect(!(result.output + result.errors).contains("secret"))
    }

    @Test func `a server that accepts connections and never answers is named within the time limit`() async throws {
        let server = LoopbackPeer()
        server.listen()
        let result = try await doctor("-t 3s http://127.0.0.1:\(server.port)/positions")
        #expect(result.code == .unavailable, "\(result.output)")
        let words = result.unwrapped
        #expect(words.contains("fault server no complete response within 3.0 seconds"), "\(words)")
        #expect(words.contains("accepts the connection and does not answer"), "\(words)")
    }

    @Test func `an unknown name, an absent folder and a taken port are found`() async throws {
        let name = try await doctor("udp://locwatch.invalid:10110")
        #expect(name.code == .unavailable && name.output.contains("cannot resolve locwatch.invalid"), "\(name.output)")
        for scheme in ["file", "fifo", "unix-listen"] {
            let folder = try await doctor("\(scheme):/nosuch/position")
            #expect(folder.code == .cannotCreate, "\(folder.output)")
            #expect(folder.output.contains("No such file or directory"), "\(folder.output)")
        }
        let server = LoopbackPeer()
        server.listen()
        let port = try await doctor("tcp-listen://127.0.0.1:\(server.port)")
        #expect(port.output.contains("a program has port \(server.port)"), "\(port.output)")
    }

    @Test(
        arguments: [
            ([200, 405], .ok), ([400, 418, 422, 429], .remark), ([301, 302, 303, 307, 308], .fault),
        ] as [([Int], Finding.Result)])
    func `a server that refuses the request is not in order, and one that redirects takes no position`(
        statuses: [Int], result: Finding.Result
    ) {
        for finding in statuses.map({ ServerProbe.server($0, advice: nil) }) {
            #expect(finding.result == result && finding.code == (result == .fault ? .unavailable : .done), "\(finding)")
            #expect((finding.why?.contains("redirects") == true) == (result == .fault))
        }
    }

    @Test func `a path is there, is left by a killed program, is something else, or is absent`() async throws {
        let folder = try TemporaryFolder("locwatch-doctor")
        func path(_ name: String) -> String { "\(folder.path)/\(name)" }
        defer {
            // A folder with a link to something else than a terminal is not removed.
            unlink(path("line"))
            folder.remove()
        }
        let sockets = try ["left", "served"].map { try LocalSocket.bound(to: path($0), listens: true) }
        close(sockets[0])
        defer { close(sockets[1]) }
        mkfifo(path("pipe"), 0o600)
        symlink("/dev/null", path("line"))
        symlink("/dev/pts/none", path("gone"))
        for (target, words) in [
            ("unix-listen:none", "exists only while locwatch publishes"), ("unix-listen:left", "left it"),
            ("unix-listen:served", "which is there"), ("fifo:pipe", "which is there"), ("file:pipe", "something else"),
            ("pty:line", "which is there"), ("pty:gone", "left it"),
        ] {
            let result = try await doctor(target.replacing(":", with: ":\(folder.path)/"))
            #expect(result.unwrapped.contains(words), "\(result.output)")
        }
        #expect(try await doctor("pty:\(path("pipe"))").code == .cannotCreate)
    }

    @Test func `each step of JSON names the target, and the diagnosis the step that failed`() async throws {
        let port = ReservedPort().number
        let result = try await doctor("-j mqtt://127.0.0.1:\(port)/owntracks/anna/boat")
        #expect(result.code == .unavailable)
        #expect(result.lines.first?.contains("\"source\":\"mqtt://127.0.0.1:\(port)/owntracks/anna/boat\"") == true)
        #expect(result.lines.last?.contains("\"cause\":\"connection\"") == true, "\(result.output)")
    }

    @Test func `a fleet without a device is a fault, and one with a remembered device is not`() async throws {
        let broker = try LoopbackBroker()
        let word = "mqtt://127.0.0.1:\(broker.port)/owntracks/+/+ -t 3s"
        let empty = try await doctor(word)
        #expect(empty.code == .unavailable && empty.output.contains("no device publishes to owntracks/+/+"))
        let position = #"{"_type":"location","lat":45,"lon":7,"acc":5,"tst":1763700000}"#
        broker.publish(MQTTMessage("owntracks/anna/boat", Array(position.utf8), isRetained: true))
        let known = try await doctor(word)
        #expect(known.code == .done, "\(known.output)")
        #expect(known.output.contains("the broker remembers 1"), "\(known.output)")
    }

    @Test func `a password file that others can read is refused before a connection`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("secret\n", to: "password")
        for word in ["mqtt://anna@127.0.0.1:1/owntracks/anna/boat", "mqtt://anna@127.0.0.1:1/owntracks/+/+"] {
            let result = try await doctor("\(word) --password-file \(file.path)")
            #expect(result.code != .done)
            #expect((result.output + result.errors).contains("other users can read"), "\(result)")
        }
    }

    @Test(arguments: [
        "watch mqtt://h/owntracks/+/+ --password-file", "watch mqtts://h/owntracks/+/+?ca-file=",
        "doctor mqtts://h/owntracks/a/b?cert=", "publish --check mqtts://h/owntracks/a/b?cert=",
        "web --token-file", "publish --config", "once --to mqtt://a@h/owntracks/a/b --password-file",
    ])
    func `a missing file of an option is named with the reason, and its code is that of a missing file`(line: String)
        async throws
    {
        let result = try await CommandTrial().run(line + (line.hasSuffix("=") ? "" : " ") + "/nonexistent/file")
        #expect(result.code == .noInput)
        #expect(result.errors == "locwatch: cannot read /nonexistent/file: No such file or directory\n")
    }

    @Test func `the reason of an unreadable file decides about the code`() {
        #expect(ExitCode(for: .unreadable("x.json", EACCES)) == .denied)
        #expect(ExitCode(for: .unreadable("x.json", ENOENT)) == .noInput)
        #expect(UsageError(unreadable: "a", SystemFailure("read", code: EACCES)).code == .denied)
        #expect(UsageError(unreadable: "a", SystemFailure("read", code: EISDIR)).code == .noInput)
    }
}
