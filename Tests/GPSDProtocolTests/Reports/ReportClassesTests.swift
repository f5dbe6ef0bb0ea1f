import LocationCore
import Testing

@testable import GPSDProtocol

@Suite struct ReportClassesTests {
    @Test func `a WATCH report contains each flag`() throws {
        let line =
            #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":2,"scaled":false,"timing":true,"#
            + #""split24":false,"pps":true,"device":"/dev/ttyACM0"}"#
        var expected = WatchReport()
        (expected.enable, expected.json, expected.nmea, expected.raw) = (true, true, false, 2)
        (expected.scaled, expected.timing, expected.split24, expected.pps) = (false, true, false, true)
        expected.device = "/dev/ttyACM0"
        #expect(try decode(line) == .watch(expected))
        #expect(try decode(#"{"class":"WATCH"}"#) == .watch(WatchReport()))
    }

    @Test func `a DEVICES report may list more devices than libgps can hold`() throws {
        let devices = (0..<9).map { #"{"class":"DEVICE","path":"/dev/ttyUSB\#($0)","bps":9600}"# }
        let line = #"{"class":"DEVICES","devices":[\#(devices.joined(separator: ","))]}"#
        guard case .devices(let report) = try decode(line) else { throw UnexpectedClass(line: line) }
        #expect(report.devices.map(\.path) == (0..<9).map { "/dev/ttyUSB\($0)" })
        #expect(report.devices.allSatisfy { $0.bps == 9600 })
    }

    @Test(
        arguments: [
            (#""activated":0"#, nil, false), (#""activated":"2026-11-20T08:56:59Z""#, 1_795_165_019, false),
            (#""activated":1795165019"#, 1_795_165_019, false), (#""activated":"yesterday""#, nil, true),
            (#""activated":1e300"#, nil, true), (#""activated":-1e999"#, nil, true),
            (#""activated":null"#, nil, false), (#""readonly":false"#, nil, false),
        ] as [(String, Int64?, Bool)])
    func `a DEVICE report gives an activation time, or none`(
        member: String, seconds: Int64?, isUnreadable: Bool
    ) throws {
        guard case .device(let report) = try decode(#"{"class":"DEVICE","path":"/dev/p",\#(member)}"#) else {
            throw UnexpectedClass(line: member)
        }
        #expect(report.activated == seconds.map { Timestamp(nanosecondsSince1970: $0 * 1_000_000_000) })
        #expect(report.activatedIsUnreadable == isUnreadable)
    }

    @Test func `a TPV report without a mode equals one with mode 0`() throws {
        #expect(try tpv(#"{"class":"TPV"}"#) == TPVReport())
        #expect(try tpv(#"{"class":"TPV","mode":0}"#) == TPVReport())
    }

    @Test func `a SKY report without a list differs from one with an empty list`() throws {
        #expect(try sky(#"{"class":"SKY","hdop":1.0}"#).satellites == nil)
        #expect(try sky(#"{"class":"SKY","satellites":[]}"#).satellites == [])
        #expect(try sky(#"{"class":"SKY","satellites":[ ]}"#).satellites == [])
        #expect(try sky(#"{"class":"SKY","satellites":null}"#).satellites == nil)
    }

    @Test(arguments: [
        "IMU", "OSC",
        "RAW", "SUBFRAME", "RTCM2", "RTCM3", "AIS", "LOG", "ACK", "TPVX", "tpv", "A class of the future", "",
    ])
    func `a report of any other class keeps its name`(name: String) throws {
        let line = #"{"class":"\#(name)","device":"/dev/a","data":[{"a":[1,2,{"b":"c"}]},null,true],"x":1e5}"#
        #expect(try decode(line) == .other(class: name))
    }

    @Test func `the numbers of a report stay when the decoder reads the next one`() throws {
        var decoder = ReportDecoder()
        func next(_ members: String) throws -> TPVReport {
            let line = #"{"class":"TPV",\#(members)}"#
            guard case .tpv(let report) = try decoder.decode(line) else { throw UnexpectedClass(line: line) }
            return report
        }
        let first = try next(#""eph":1.5,"speed":2.5,"alt":7.5,"jam":4"#)
        let second = try next(#""eph":3.5,"alt":"x","climb":1e999"#)
        let third = try next(#""mode":1"#)
        #expect((first[.horizontalAccuracy], first[.speed], first.numbers[count: .jamming]) == (1.5, 2.5, 4))
        #expect((second[.horizontalAccuracy], second[.speed], second[.climb]) == (3.5, nil, nil))
        #expect(third.numbers == ReportedNumbers() && third != first && first != second)
    }

    @Test(arguments: [
        "", "a", "/dev/ttyACM0", "/dev/ttyUSB0.15", "/dev/ttyUSB00.16", "gpsd://sail-boat:2947/dev/ttyACM0", "\u{E9}",
    ])
    func `a receiver's name is read again, and one that begins like it is another`(name: String) throws {
        var decoder = ReportDecoder()
        for device in [name, name, name + "1", name, String(name.dropLast()), name] {
            let line = #"{"class":"TPV","device":"\#(device)","mode":3}"#
            guard case .tpv(let report) = try decoder.decode(line) else { throw UnexpectedClass(line: line) }
            #expect(report.device == device && report.mode == 3)
        }
    }
}
