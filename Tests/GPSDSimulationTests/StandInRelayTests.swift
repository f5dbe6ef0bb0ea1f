import GPSDSimulation
import TestSupport
import Testing

/// The relay of a live session by a stand-in.
struct StandInRelayTests {
    private func relay(_ lines: [String], by standIn: StandInGPSD) {
        standIn.relay(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    private static let position = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":45.5,"lon":7.5,"new":[1,{"x":2}]}"#
    private static let list =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","driver":"u-blox","activated":"2026-11-22T09:00:00.000Z"}]}"#

    @Test func `only whole reports are sent, and those after other lines are`() throws {
        let standIn = try byHand()
        let client = try SocketClient.watching(standIn.port)
        relay(["", "GET / HTTP/1.1", "\u{0}\u{1}", String(repeating: "x", count: 300_000)], by: standIn)
        // A connection can end within a report, also within a name that looks like a sentence.
        relay([#"{"class":"#, String(Self.position.dropLast(9)), #"{"class":"TPV","device":"$GPGGA"#], by: standIn)
        relay([Self.list, #"{"class":"WATCH","enable":false}"#, Self.position], by: standIn)
        let lines = client.lines(2)
        #expect(lines.first?.hasPrefix(#"{"class":"DEVICE","path":"/dev/a","driver":"u-blox""#) == true)
        #expect(lines.last == Self.position)
        #expect(client.isQuiet)
    }

    @Test func `a client that comes later knows the version, the devices and the last position`() throws {
        let standIn = try byHand()
        relay([#"{"class":"VERSION","release":"3.99"}"#, Self.list, Self.position], by: standIn)
        let client = try SocketClient(standIn.port)
        #expect(client.line() == #"{"class":"VERSION","release":"3.99"}"#)
        client.send("?DEVICES;?POLL;")
        let answers = client.lines(2)
        #expect(answers[0].contains(#""path":"/dev/a","driver":"u-blox""#))
        // The device was heard with the position.
        #expect(answers[0].contains(#""activated":"2027-01-15T08:00:00.123Z""#), "\(answers[0])")
        #expect(answers[1].contains(Self.position))
    }

    @Test func `a device that no list names is announced once, and a report without one has a device too`() throws {
        let standIn = try byHand()
        let client = try SocketClient.watching(standIn.port)
        relay([Self.position, Self.position], by: standIn)
        let lines = client.lines(3)
        #expect(lines[0].hasPrefix(#"{"class":"DEVICE","path":"/dev/a","#))
        #expect(lines[1...] == [Self.position, Self.position])
        let other = try byHand()
        let second = try SocketClient(other.port)
        relay([#"{"class":"TPV","mode":3,"lat":1,"lon":2}"#], by: other)
        second.send("?DEVICES;")
        #expect(second.lines(2).last?.contains(#""path":"/dev/recording""#) == true)
    }

    @Test func `devices that are lost are closed and forgotten, with their positions`() throws {
        let standIn = try byHand()
        relay([Self.list, Self.position], by: standIn)
        let client = try SocketClient.watching(standIn.port)
        standIn.loseDevices()
        #expect(client.line() == #"{"class":"DEVICE","path":"/dev/a","activated":0}"#)
        client.send("?DEVICES;?POLL;")
        let answers = client.lines(2)
        #expect(answers[0] == #"{"class":"DEVICES","devices":[]}"#)
        #expect(!answers[1].contains("45.5"))
        standIn.loseDevices()
        relay([Self.list], by: standIn)
        #expect(client.line()?.contains(#""driver":"u-blox""#) == true)
    }

    @Test func `a client of another device gets nothing, and one that wants NMEA gets sentences`() throws {
        let standIn = try byHand()
        relay([Self.list], by: standIn)
        let other = try SocketClient.watching(standIn.port, #"?WATCH={"enable":true,"json":true,"device":"/dev/b"};"#)
        let sentences = try SocketClient.watching(standIn.port, #"?WATCH={"enable":true,"nmea":true};"#)
        relay([Self.position], by: standIn)
        #expect(sentences.line()?.hasPrefix("$GP") == true)
        #expect(other.isQuiet)
    }
}
