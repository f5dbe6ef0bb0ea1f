import GPSDSimulation
import LocationCore
import TestSupport
import Testing

struct StandInAnswersTests {
    private func answers(
        _ requests: [String], reports: [String] = RecordedText.positions(2), played: Int = 0, lines count: Int
    ) throws -> [String] {
        let standIn = try byHand(reports)
        standIn.send(lines: played)
        let client = try SocketClient(standIn.port)
        #expect(client.line() == RecordedText.version)
        for request in requests { client.send(request) }
        let lines = client.lines(count)
        #expect(client.isQuiet)
        return lines
    }

    @Test(arguments: [
        (#"{"enable":true,"json":true}"#, RecordedText.watch),
        (
            #"{"nmea":true}"#,
            #"{"class":"WATCH","enable":true,"json":false,"nmea":true,"raw":0,"scaled":false,"timing":false,"split24":false,"pps":false}"#
        ),
        (
            #"{"enable":false}"#,
            #"{"class":"WATCH","enable":false,"json":false,"nmea":false,"raw":0,"scaled":false,"timing":false,"split24":false,"pps":false}"#
        ),
        (
            #"{ "enable":true,"raw":2,"scaled":true,"pps":true,"split24":true,"timing":true,"bogus":{"a":[1]}}"#,
            #"{"class":"WATCH","enable":true,"json":false,"nmea":false,"raw":2,"scaled":true,"timing":true,"split24":true,"pps":true}"#
        ),
        (
            #"{"enable":true,"json":true,"device":"/dev/ttyUSB0"}"#,
            #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"timing":false,"split24":false,"pps":false,"device":"/dev/ttyUSB0"}"#
        ),
    ])
    func `a watch sets the flags that it names, and is answered with the devices and all flags, as by gpsd 3.22`(
        request: String, answer: String
    ) throws {
        #expect(try answers(["?WATCH=\(request);"], lines: 2) == [RecordedText.devices, answer])
    }

    @Test func `json stays on if a later watch does not name it`() throws {
        let lines = try answers([#"?WATCH={"enable":false,"json":true};?WATCH={"enable":true};"#], lines: 4)
        #expect(lines.last == RecordedText.watch)
    }

    @Test func `several requests in one segment are answered in order`() throws {
        #expect(
            try answers(["?VERSION;?DEVICES;\r\n?VERSION;\n"], lines: 3) == [
                RecordedText.version, RecordedText.devices, RecordedText.version,
            ])
    }

    @Test(arguments: [
        #"?WATCH={"enable":true,"json":true}"#, #"?WATCH={"enable":true,"json":true,"x":"};{"}"#,
        #"?WATCH={"enable":true,"json":true,"x":{"y":1}}"#,
        #"?WATCH={"enable":true,"x":{"y":1},"json":true}"#,
    ])
    func `a watch without an end is answered once, as gps3 and clients in Node and Qt send it`(request: String) throws {
        // The end that arrives later is not another request.
        for parts in [[request], [request, ";", "\n"], request.map(String.init) + [";"]] {
            #expect(try answers(parts, lines: 2) == [RecordedText.devices, RecordedText.watch])
        }
    }

    @Test func `?DEVICES shows when the device was last heard in the session`() throws {
        let lines = try answers(["?DEVICES;"], played: 2, lines: 1)
        #expect(lines == [RecordedText.devices.replacing("08:00:00.250Z", with: "08:00:01.000Z")])
    }

    @Test func `?DEVICE is answered with all devices, or with one device`() throws {
        let device = String(RecordedText.devices.dropFirst(#"{"class":"DEVICES","devices":["#.count).dropLast(2))
        #expect(try answers(["?DEVICE;"], lines: 1) == [device])
        #expect(try answers([#"?DEVICE={"path":"/dev/ttyUSB0"};"#], lines: 1) == [device])
    }

    @Test func `?POLL is answered with the last report of each class`() throws {
        let lines = try answers(["?POLL;"], played: 2, lines: 1)
        #expect(
            lines == [
                #"{"class":"POLL","time":"2027-01-15T08:00:00.123Z","active":1,"tpv":[\#(RecordedText.position(1))],"#
                    + #""gst":[{"class":"GST","device":"/dev/ttyUSB0"}],"sky":[{"class":"SKY","device":"/dev/ttyUSB0"}]}"#
            ])
    }

    @Test(arguments: [
        ("?FOO;", #"Unrecognized request '?FOO;\n'"#), ("?VERSION ;", #"Unrecognized request '?VERSION ;\n'"#),
        ("?DEVICES\n", #"Unrecognized request '?DEVICES\n'"#), ("?WATCHX;", #"Unrecognized request '?WATCHX;\n'"#),
        (#"?POLL={"a":1};"#, #"Unrecognized request '?POLL={\"a\":1};\n'"#),
        (#"?WATCH={"enable":true,"json":true,"device":"/dev/none"};"#, "No such device as /dev/none"),
        (#"?DEVICE={"path":"/dev/x"};"#, "Can't open /dev/x."),
    ]) func `an unknown request, or one for an unknown device, is answered with an error only`(
        request: String, message: String
    ) throws {
        #expect(try answers([request], lines: 1) == [#"{"class":"ERROR","message":"\#(message)"}"#])
    }

    @Test(arguments: ["foo\n", ";", "\n", "!x;"]) func `input without a request is not answered`(text: String) throws {
        #expect(try answers([text, "?VERSION;"], lines: 1) == [RecordedText.version])
    }

    @Test(arguments: [
        (RecordedText.position(0), "/dev/ttyUSB0"),
        // The positions of a track are those of a device too.
        (#"{"class":"TPV","mode":3,"time":"2026-11-20T10:00:00.000Z","lat":1,"lon":2}"#, "/dev/recording"),
    ])
    func `the devices come from the reports if the recording has no list`(report: String, path: String) throws {
        let standIn = try byHand(recording: report + "\n")
        standIn.send(lines: 1)
        let client = try SocketClient.greeted(standIn.port)
        client.send("?DEVICES;")
        let devices = try #require(client.line())
        #expect(devices.hasPrefix(#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(path)","#), "\(devices)")
        #expect(devices.contains("activated"))
    }

    @Test func `a list of devices in the recording is not sent but updates the devices`() throws {
        let empty = #"{"class":"DEVICES","devices":[]}"#
        let standIn = try byHand([RecordedText.position(0), empty, RecordedText.position(1)])
        let client = try SocketClient.watching(standIn.port)
        standIn.sendRest()
        #expect(client.lines(2) == RecordedText.positions(2))
        client.send("?DEVICES;")
        #expect(client.line() == empty)
    }

    @Test func `the requests of clients are recorded in full`() throws {
        let device = "/dev/serial/by-id/" + String(repeating: "x", count: 182)
        let request = #"?WATCH={"enable":true,"json":true,"device":"\#(device)"};"#
        let standIn = try byHand([RecordedText.position(0, device: device)])
        let first = try SocketClient.watching(standIn.port, request)
        let second = try SocketClient.watching(standIn.port, "?WATCH;")
        #expect(device.utf8.count == 200)
        #expect(standIn.wait { $0.requests.count == 2 })
        #expect(standIn.progress.requests.map(\.client) == [1, 2])
        #expect(standIn.progress.requests.map(\.text) == [request, "?WATCH;"])
        withExtendedLifetime((first, second)) {}
    }
}
