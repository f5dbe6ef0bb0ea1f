import LocationCore
import LocationRecordings
import Testing

@Suite struct ReportClassesTests {
    @Test func `a VERSION report contains the release and the protocol`() throws {
        let line = #"{"class":"VERSION","release":"3.25","rev":"release-3.25","proto_major":3,"proto_minor":15}"#
        var expected = VersionReport()
        (expected.release, expected.rev) = ("3.25", "release-3.25")
        (expected.proto_major, expected.proto_minor) = (3, 15)
        #expect(try decode(line) == .version(expected))
    }

    @Test func `a WATCH report contains each flag`() throws {
        let line =
            #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":2,"scaled":false,"timing":true,"#
            + #""split24":false,"pps":true,"device":"/dev/ttyACM0","remote":"gpsd://far"}"#
        var expected = WatchReport()
        (expected.enable, expected.json, expected.nmea, expected.raw) = (true, true, false, 2)
        (expected.scaled, expected.timing, expected.split24, expected.pps) = (false, true, false, true)
        (expected.device, expected.remote) = ("/dev/ttyACM0", "gpsd://far")
        #expect(try decode(line) == .watch(expected))
        #expect(try decode(#"{"class":"WATCH"}"#) == .watch(WatchReport()))
    }

    @Test func `a DEVICES report may list more devices than libgps can hold`() throws {
        let devices = (0..<9).map { #"{"class":"DEVICE","path":"/dev/ttyUSB\#($0)","bps":9600}"# }
        let line = #"{"class":"DEVICES","devices":[\#(devices.joined(separator: ","))],"remote":"gpsd://far"}"#
        guard case .devices(let report) = try decode(line) else { throw UnexpectedClass(line: line) }
        #expect(report.devices.map(\.path) == (0..<9).map { "/dev/ttyUSB\($0)" })
        #expect(report.devices.allSatisfy { $0.bps == 9600 })
        #expect(report.remote == "gpsd://far")
    }

    @Test func `a DEVICE report contains all properties of the device`() throws {
        let line =
            #"{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","sernum":"7A11","subtype":"SW 1.00","#
            + #""subtype1":"PROTVER=27.11","readonly":"true","activated":"2026-11-20T08:56:59.123Z","flags":1,"#
            + #""native":1,"bps":38400,"parity":"N","stopbits":1,"cycle":1.00,"mincycle":0.04,"hexdata":"b562"}"#
        var expected = DeviceReport()
        (expected.path, expected.driver, expected.sernum) = ("/dev/ttyACM0", "u-blox", "7A11")
        (expected.subtype, expected.subtype1, expected.readonly) = ("SW 1.00", "PROTVER=27.11", true)
        expected.activated = Timestamp(nanosecondsSince1970: 1_795_165_019_123_000_000)
        (expected.flags, expected.native) = (1, 1)
        (expected.bps, expected.parity, expected.stopbits) = (38400, "N", 1)
        (expected.cycle, expected.mincycle, expected.hexdata) = (1, 0.04, "b562")
        #expect(try decode(line) == .device(expected))
    }

    @Test(
        arguments: [
            (#""activated":0"#, nil, true, false),
            (#""activated":"2026-11-20T08:56:59Z""#, 1_795_165_019, false, false),
            (#""activated":1795165019"#, 1_795_165_019, false, false),
            (#""activated":"yesterday""#, nil, false, true),
            (#""activated":1e300"#, nil, false, true),
            (#""activated":-1e999"#, nil, false, true),
            (#""activated":null"#, nil, false, false),
            (#""readonly":false"#, nil, false, false),
        ] as [(String, Int64?, Bool, Bool)])
    func `a DEVICE report gives an activation time, a closed device, or neither`(
        member: String, seconds: Int64?, isDeactivated: Bool, isUnreadable: Bool
    ) throws {
        guard case .device(let report) = try decode(#"{"class":"DEVICE","path":"/dev/p",\#(member)}"#) else {
            throw UnexpectedClass(line: member)
        }
        #expect(report.activated == seconds.map { Timestamp(nanosecondsSince1970: $0 * 1_000_000_000) })
        #expect(report.isDeactivated == isDeactivated)
        #expect(report.activatedIsUnreadable == isUnreadable)
    }

    @Test func `a TPV report without a mode equals one with mode 0`() throws {
        #expect(try tpv(#"{"class":"TPV"}"#) == TPVReport())
        #expect(try tpv(#"{"class":"TPV","mode":0}"#) == TPVReport())
    }

    @Test func `a SKY report contains satellites and dilutions`() throws {
        let report = try sky(
            #"{"class":"SKY","device":"/dev/ttyACM0","time":"2026-11-20T08:56:59.000Z","gdop":1.47,"hdop":0.69,"#
                + #""pdop":1.05,"tdop":0.73,"vdop":0.79,"xdop":0.52,"ydop":0.57,"nSat":2,"uSat":1,"satellites":["#
                + #"{"PRN":66,"gnssid":6,"svid":2,"sigid":1,"freqid":9,"az":310.0,"el":-7.5,"pr":2.1e7,"#
                + #""prRate":-12.5,"prRes":0.5,"qual":7,"ss":41.0,"used":true,"health":1},{"PRN":8}]}"#)
        #expect(
            [report.dilution.geometric, report.dilution.horizontal, report.dilution.position, report.dilution.time] == [
                1.47, 0.69, 1.05, 0.73,
            ])
        #expect([report.dilution.vertical, report.dilution.longitude, report.dilution.latitude] == [0.79, 0.52, 0.57])
        #expect(report.nSat == 2 && report.uSat == 1)
        var first = SKYReport.Satellite()
        (first.PRN, first.gnssid, first.svid, first.sigid, first.freqid) = (66, 6, 2, 1, 9)
        (first.az, first.el, first.ss, first.used) = (310, -7.5, 41, true)
        (first.pr, first.prRate, first.prRes, first.qual, first.health) = (2.1e7, -12.5, 0.5, 7, 1)
        var second = SKYReport.Satellite()
        second.PRN = 8
        #expect(report.satellites == [first, second])
    }

    @Test func `a SKY report without a list differs from one with an empty list`() throws {
        #expect(try sky(#"{"class":"SKY","hdop":1.0}"#).satellites == nil)
        #expect(try sky(#"{"class":"SKY","satellites":[]}"#).satellites == [])
        #expect(try sky(#"{"class":"SKY","satellites":[ ]}"#).satellites == [])
        #expect(try sky(#"{"class":"SKY","satellites":null}"#).satellites == nil)
    }

    @Test func `a GST report contains its deviations`() throws {
        let line =
            #"{"class":"GST","device":"/dev/a","time":"2026-11-20T08:56:59Z","rms":1.5,"major":2.5,"minor":3.5,"#
            + #""orient":-4.5,"lat":5.5,"lon":6.5,"alt":7.5,"ve":8.5,"vn":9.5,"vu":10.5}"#
        guard case .gst(let report) = try decode(line) else { throw UnexpectedClass(line: line) }
        #expect(report.time?.secondsSince1970 == 1_795_165_019)
        #expect([report.rms, report.major, report.minor, report.orient, report.lat] == [1.5, 2.5, 3.5, -4.5, 5.5])
        #expect([report.lon, report.alt, report.ve, report.vn, report.vu] == [6.5, 7.5, 8.5, 9.5, 10.5])
    }

    @Test func `TOFF and PPS reports keep whole seconds and nanoseconds`() throws {
        let members =
            #""device":"/dev/a","real_sec":1795165019, "real_nsec":999999999,"clock_sec":1795165020,"#
            + #""clock_nsec":1,"precision":-20,"shm":"NTP1""#
        var report = ClockComparisonReport()
        report.device = "/dev/a"
        report.real_sec = 1_795_165_019
        report.real_nsec = 999_999_999
        report.clock_sec = 1_795_165_020
        report.clock_nsec = 1
        report.precision = -20
        report.shm = "NTP1"
        #expect(try decode(#"{"class":"TOFF",\#(members)}"#) == .toff(report))
        report.qErr = -1530
        #expect(try decode(#"{"class":"PPS",\#(members),"qErr":-1530}"#) == .pps(report))
    }

    @Test func `a POLL report contains the last reports of each device`() throws {
        let line =
            #"{"class":"POLL","time":"2026-11-20T08:56:59.123Z","active":2,"tpv":[{"class":"TPV","device":"/dev/a","#
            + #""mode":2,"new":1},{"class":"TPV","device":"/dev/b","mode":0}],"gst":[{"class":"GST","rms":1.5}],"#
            + #""sky":[{"class":"SKY","hdop":9.2,"satellites":[{"PRN":16,"x":[1]}]},"#
            + #"{"class":"SKY","satellites":[{"PRN":3}]}],"later":{}}"#
        guard case .poll(let report) = try decode(line) else { throw UnexpectedClass(line: line) }
        #expect(report.active == 2)
        #expect(report.time?.nanosecondsSince1970 == 1_795_165_019_123_000_000)
        #expect(report.tpv.map(\.device) == ["/dev/a", "/dev/b"])
        #expect(report.tpv.map(\.mode) == [2, 0])
        #expect(report.gst.map(\.rms) == [1.5])
        #expect(report.sky.map { $0.satellites?.map(\.PRN) } == [[16], [3]])
    }

    @Test func `an ERROR report contains its message`() throws {
        var expected = ErrorReport()
        expected.message = #"Unrecognized request '?"X"'"#
        #expect(try decode(#"{"class":"ERROR","message":"Unrecognized request '?\"X\"'"}"#) == .error(expected))
    }

    @Test(arguments: [
        "ATT", "IMU", "OSC",
        "RAW", "SUBFRAME", "RTCM2", "RTCM3", "AIS", "LOG", "ACK", "TPVX", "tpv", "A class of the future", "",
    ])
    func `a report of any other class keeps its name`(name: String) throws {
        let line = #"{"class":"\#(name)","device":"/dev/a","data":[{"a":[1,2,{"b":"c"}]},null,true],"x":1e5}"#
        #expect(try decode(line) == .other(class: name))
    }

    @Test func `a line of any other class must be well-formed too`() {
        #expect(throws: ReportError(.unexpectedByte, offset: 33)) {
            // gpsd 3.22 omits this comma.
            try decode(#"{"class":"AIS","status_text":"x" "accuracy":true}"#)
        }
    }
}
