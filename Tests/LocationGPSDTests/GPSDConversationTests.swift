import Glibc
import LocationCore
import LocwatchSupport
import Testing

@testable import LocationGPSD

@Suite struct GPSDConversationTests {
    private let endpoint = GPSDEndpoint(host: "tracker", port: "2947")
    private static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
    private static let noDevices = #"{"class":"DEVICES","devices":[]}"# + "\n"
    private static let tpv =
        #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2027-01-15T08:00:01.000Z","lat":45.5,"lon":7.5}"#

    private func conversation(_ endpoint: GPSDEndpoint? = nil) -> HeldConversation {
        HeldConversation(endpoint ?? self.endpoint, now: moment(0))
    }

    /// Returns a conversation with a daemon that has greeted.
    private func greeted(_ endpoint: GPSDEndpoint? = nil) throws -> HeldConversation {
        let conversation = conversation(endpoint)
        _ = try hear(Self.version + "\n", conversation)
        return conversation
    }

    /// Returns a conversation with a daemon that has greeted, and whose receiver has reported a position at one second.
    private func reporting() throws -> HeldConversation {
        let conversation = conversation()
        #expect(lateness(try hearFirst(Self.version + "\n" + tpv(1), conversation)) == [false])
        return conversation
    }

    /// Returns the list of one device of which gpsd has heard a byte at the beginning.
    private func list(of path: String) -> String {
        #"{"class":"DEVICES","devices":[{"path":"\#(path)","activated":"2027-01-15T08:00:00.000Z","driver":"NMEA0183"}]}"#
            + "\n"
    }

    private func hear(
        _ text: String, _ conversation: HeldConversation, at seconds: Double = 1
    ) throws -> [LocationEvent] {
        var updates = ReusedQueue<LocationUpdate>()
        try Array(text.utf8).withUnsafeBytes { try conversation.hear($0, at: moment(seconds), into: &updates) }
        return updates.map(\.event)
    }

    private func expire(_ conversation: HeldConversation, at moment: Moment) throws -> [LocationEvent] {
        var updates = ReusedQueue<LocationUpdate>()
        try conversation.expire(at: moment, into: &updates)
        return updates.map(\.event)
    }

    /// Like `hear`, and returns also the first epoch, which waits for further reports.
    private func hearFirst(
        _ text: String, _ conversation: HeldConversation, at seconds: Double = 1
    ) throws -> [LocationEvent] {
        var events = try hear(text, conversation, at: seconds)
        events += try expire(conversation, at: moment(seconds + 0.3))
        return events
    }

    @Test func `no command is sent before the greeting is complete`() throws {
        let conversation = conversation()
        #expect(conversation.takeCommands() == nil)
        #expect(try hear(String(Self.version.prefix(20)), conversation) == [])
        #expect(conversation.deadline == moment(30))
        #expect(conversation.takeCommands() == nil)
        let events = try hear(String(Self.version.dropFirst(20)) + "\r\n", conversation)
        #expect(events == [.searching(.connected(release: "3.22"))])
        #expect(conversation.takeCommands() == "?DEVICES;\n?WATCH={\"enable\":true,\"json\":true};\n")
        #expect(conversation.takeCommands() == nil)
    }

    @Test func `blanks before the greeting are passed over, and are not gpsd if there is no end of them`() throws {
        let conversation = conversation()
        for _ in 0..<60 { #expect(try hear(String(repeating: " \r\n", count: 300), conversation) == []) }
        #expect(try hear(" \n" + Self.version + "\n", conversation) == [.searching(.connected(release: "3.22"))])
        let endless = self.conversation()
        #expect(throws: LocationError.notGPSD(host: "tracker", port: "2947", answer: "")) {
            for _ in 0..<66 { _ = try hear(String(repeating: "\n", count: 1000), endless) }
        }
    }

    @Test func `a silent server is reported after a second, once, and as not gpsd after thirty`() throws {
        let conversation = conversation()
        #expect(conversation.deadline == moment(1))
        var events: [LocationEvent] = []
        for second in [0.9, 1, 2, 29.9] { events += try expire(conversation, at: moment(second)) }
        #expect(events == [.searching(.unanswered)])
        #expect(throws: LocationError.notGPSD(host: endpoint.host, port: endpoint.port, answer: "")) {
            _ = try expire(conversation, at: moment(30))
        }
    }

    @Test func `the watch names the device by its full escaped path, and asks for clocks on request`() throws {
        let path = "/dev/serial/by-id/usb-\"" + String(repeating: "x", count: 200)
        let endpoint = GPSDEndpoint(host: "tracker", device: path)
        let conversation = HeldConversation(endpoint, for: LocationRequest(includesClock: true), now: moment(0))
        _ = try hear(Self.version + "\n", conversation)
        let parameters = #"{"enable":true,"json":true,"pps":true,"device":"\#(path.replacing("\"", with: "\\\""))"}"#
        #expect(conversation.takeCommands() == "?DEVICES;\n?WATCH=\(parameters);\n")
    }

    @Test(arguments: ["/dev/ttyUSB0", nil])
    func `a watch of one device ignores other devices in the answer to a poll`(device: String?) throws {
        var endpoint = endpoint
        endpoint.device = device
        let conversation = try greeted(endpoint)
        let sky = #"{"class":"SKY","device":"/dev/ttyACM0","nSat":9,"uSat":5}"#
        let poll = #"{"class":"POLL","time":"2027-01-15T08:00:09Z","active":1,"tpv":[\#(Self.tpv)],"sky":[\#(sky)]}"#
        let events = try hearFirst(poll + "\n", conversation)
        #expect(events.isEmpty == (device != nil))
        #expect(conversation.hasReceivedReports == (device == nil))
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", "SSH-2.0-OpenSSH_9.2p1 Debian-2"),
        ("HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n", "HTTP/1.1 400 Bad Request"),
        ("{\"class\":\"TPV\",\"mode\":3}\n", "{\"class\":\"TPV\",\"mode\":3}"),
        ("{\"hello\":1}\n", "{\"hello\":1}"),
        (String(repeating: "x", count: 500), String(repeating: "x", count: 80)),
    ])
    func `another server is reported at once with a quote of its answer`(answer: String, quoted: String) {
        let conversation = conversation()
        #expect(throws: LocationError.notGPSD(host: "tracker", port: "2947", answer: quoted)) {
            try hear(answer, conversation)
        }
    }

    @Test func `a silent daemon is asked, then woken, then given up`() throws {
        let conversation = try reporting()
        _ = conversation.takeCommands()
        #expect(conversation.deadline == moment(4))
        _ = try expire(conversation, at: moment(4))
        #expect(conversation.takeCommands() == "?DEVICES;\n")
        _ = try expire(conversation, at: moment(7))
        #expect(conversation.takeCommands() == "?POLL;\n?WATCH={\"enable\":true,\"json\":true};\n")
        // Between the questions the process only shows that it was not stopped.
        #expect(conversation.deadline == moment(10))
        _ = try expire(conversation, at: moment(10))
        #expect(conversation.takeCommands() == nil)
        _ = try expire(conversation, at: moment(13))
        #expect(
            throws: LocationError.connectionLost(host: "tracker", port: 2947, cause: "it does not answer any more")
        ) {
            _ = try expire(conversation, at: moment(14))
        }
    }

    @Test func `a receiver of a long cycle is not asked for sooner because another one has no cycle`() throws {
        let conversation = try greeted()
        func device(_ path: String, _ rest: String) -> String {
            #"{"class":"DEVICE","path":"\#(path)","activated":"2027-01-15T08:00:00.000Z","driver":"NMEA0183"\#(rest)}"#
                + "\n"
        }
        _ = try hear(device("/dev/ttyACM0", #","cycle":10.0"#), conversation)
        _ = try hear(device("/dev/ttyACM1", ""), conversation)
        _ = try hearFirst(Self.tpv + "\n", conversation, at: 2)
        _ = conversation.takeCommands()
        for half in 5..<60 {
            _ = try expire(conversation, at: moment(Double(half) / 2))
            #expect(conversation.takeCommands() == nil, "at \(Double(half) / 2) s")
        }
        _ = try expire(conversation, at: moment(32.5))
        #expect(conversation.takeCommands() == "?DEVICES;\n")
    }

    @Test func `a refused device is a denial, with the listed devices`() throws {
        let conversation = try greeted()
        let listed = "{\"class\":\"DEVICES\",\"devices\":[{\"class\":\"DEVICE\",\"path\":\"/dev/a\"}]}\n"
        _ = try hear(listed, conversation)
        let refused = "{\"class\":\"ERROR\",\"message\":\"No such device as /dev/nope\"}\n"
        let events = try hear(refused, conversation)
        #expect(events == [.authorization(.denied), .failure(.deviceUnknown(path: "/dev/nope", known: ["/dev/a"]))])
    }

    @Test func `an error before the answer to the watch is a denial, and a later one is a message`() throws {
        let conversation = try greeted()
        let error = "{\"class\":\"ERROR\",\"message\":\"no more clients\"}\n"
        #expect(
            try hear(error, conversation)
                == [
                    .authorization(.denied),
                    .failure(.denied(what: "the watch of tracker:2947", cause: "gpsd: no more clients")),
                ])
        #expect(
            try hear("{\"class\":\"WATCH\",\"enable\":true,\"json\":true}\n", conversation)
                == [.authorization(.authorized)])
        #expect(try hear(error, conversation) == [.notice(.message("gpsd: no more clients"))])
    }

    @Test(arguments: [("localhost", true), ("tracker", false)])
    func `a silent device is lost if it no longer exists on this machine, and silent on another`(
        host: String, isLost: Bool
    ) throws {
        let conversation = conversation(GPSDEndpoint(host: host))
        let path = "/dev/no-such-receiver"
        _ = try hear(Self.version + "\n" + list(of: path), conversation, at: 1)
        let events = try hear(list(of: path), conversation, at: 4)
        let reason = isLost ? SearchReason.deviceLost(path: path) : .deviceSilent(path: path)
        #expect(events.last == .searching(reason, device: path))
    }

    @Test(arguments: [nil, "sim:unplug"])
    func `no command is sent while a local device is missing, because gpsd would free it`(name: String?) throws {
        let path = "/tmp/locwatch-receiver-\(UInt64.random(in: 0...UInt64.max))"
        let paths = name.map { [$0: path] } ?? [:]
        let conversation = HeldConversation(GPSDEndpoint(host: "localhost"), paths: paths, now: moment(0))
        try #require(symlink("/dev/null", path) == 0)
        let device = name ?? path
        let list = #"{"class":"DEVICES","devices":[{"path":"\#(device)","activated":"2027-01-15T08:00:00.000Z"}]}"#
        _ = try hear(Self.version + "\n" + list + "\n", conversation, at: 1)
        _ = conversation.takeCommands()
        try #require(unlink(path) == 0)
        var events: [LocationEvent] = []
        for seconds in stride(from: 4.0, to: 60, by: 1) {
            events += try expire(conversation, at: moment(seconds))
            #expect(conversation.takeCommands() == nil)
        }
        #expect(events == [.searching(.deviceLost(path: device), device: device)])
    }

    @Test func `a line torn by the end of the connection is reported`() throws {
        let conversation = conversation()
        _ = try hear(Self.version + "\n" + #"{"class":"TPV","mo"#, conversation)
        var updates = ReusedQueue<LocationUpdate>()
        conversation.end(at: moment(2), into: &updates)
        #expect(updates.map(\.event) == [.notice(.tornEnd(bytes: 18))])
    }

    @Test func `the error of a connection that ends before the greeting says so`() {
        #expect(
            conversation().broken("closed")
                == .connectionLost(host: "tracker", port: 2947, cause: "closed before it had greeted"))
    }

    /// Returns whether each position among the events is late.
    private func lateness(_ events: [LocationEvent]) -> [Bool] {
        events.compactMap { if case .location(let location) = $0 { location.isLate } else { nil } }
    }

    private func tpv(_ second: Int) -> String {
        let time = "2027-01-15T08:00:\(second / 10)\(second % 10).000Z"
        return #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","lat":45.5,"lon":7.5}"# + "\n"
    }

    @Test func `positions that were buffered while the process was stopped are late, and the next one is not`() throws {
        let conversation = try reporting()
        // The position was due at 4 seconds at the latest; the process was stopped from 1 to 21 seconds.
        #expect(lateness(try hear(tpv(2) + tpv(3), conversation, at: 21)) == [true, true])
        #expect(lateness(try hear(tpv(4), conversation, at: 21.01)) == [true])
        #expect(lateness(try hear(tpv(21), conversation, at: 21.6)) == [false])
        #expect(lateness(try hear(tpv(22), conversation, at: 22.6)) == [false])
    }

    @Test func `positions that were buffered during a stop within a long silence are late`() throws {
        let conversation = try reporting()
        var last = moment(1)
        // The daemon answers each question, and the questions become rare.
        while last < moment(30) {
            last = conversation.deadline
            _ = try expire(conversation, at: last)
            _ = try hear(Self.noDevices, conversation, at: last.elapsed.inSeconds)
        }
        let resumed = last.elapsed + .seconds(6)
        #expect(lateness(try hear(tpv(34) + tpv(35), conversation, at: resumed.inSeconds)) == [true, true])
    }

    @Test func `a backlog lasts as long as reads fill the buffer`() throws {
        let conversation = try reporting()
        let full = String(repeating: " ", count: GPSDConversation.longestChunk - tpv(2).utf8.count) + tpv(2)
        #expect(lateness(try hear(full, conversation, at: 21)) == [true])
        #expect(lateness(try hear(full.replacing("08:00:02", with: "08:00:03"), conversation, at: 22)) == [true])
        #expect(lateness(try hear(tpv(4), conversation, at: 23)) == [true])
        #expect(lateness(try hear(tpv(23), conversation, at: 24)) == [false])
    }

    @Test func `a position after a silence is not late if the deadlines were met`() throws {
        let conversation = try reporting()
        for second in stride(from: 4.0, to: 40, by: 1) {
            _ = try expire(conversation, at: moment(second))
            _ = try hear(Self.noDevices, conversation, at: second)
        }
        #expect(lateness(try hear(tpv(40), conversation, at: 40)) == [false])
    }

    @Test func `the deadline of an answer restarts after the process was stopped`() throws {
        let conversation = try reporting()
        _ = try expire(conversation, at: moment(4))
        #expect(conversation.takeCommands()?.hasSuffix("?DEVICES;\n") == true)
        _ = try expire(conversation, at: moment(60))
        #expect(conversation.deadline == moment(63))
        #expect(lateness(try hear(tpv(5), conversation, at: 60.1)) == [true])
    }

    @Test func `the deadline of the greeting restarts after the process was stopped`() throws {
        let conversation = conversation()
        _ = try expire(conversation, at: moment(60))
        #expect(conversation.deadline == moment(61))
        _ = try expire(conversation, at: moment(61))
        #expect(conversation.deadline == moment(90))
        #expect(try hear(Self.version + "\n", conversation, at: 61) == [.searching(.connected(release: "3.22"))])
    }
}
