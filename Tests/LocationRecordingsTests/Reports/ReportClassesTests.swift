import LocationCore
import LocationRecordings
import Testing

@Suite struct ReportClassesTests {
    @Test func `a VERSION report contains the release and the protocol`() throws {
        let line = #"{"class":"VERSION","release":"3.25","rev":"release-3.25","proto_major":3,"proto_minor":15}"#
        var expected = VersionReport()
        expected.release = "3.25"
        expected.rev = "release-3.25"
        expected.proto_major = 3
        expected.proto_minor = 15
        #expect(try decode(line) == .version(expected))
    }

    @Test func `a WATCH report contains each flag`() throws {
        let line =
            #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":2,"scaled":false,"timing":true,"#
            + #""split24":false,"pps":true,"device":"/dev/ttyACM0","remote":"gpsd://far"}"#
        var expected = WatchReport()
        expected.enable = true
        expected.json = true
        expected.nmea = false
        expected.raw = 2
        expected.scaled = false
        expected.timing = true
        expected.split24 = false
        expected.pps = true
        expected.device = "/dev/ttyACM0"
        expected.remote = "gpsd://far"
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
        expected.path = "/dev/ttyACM0"
        expected.driver = "u-blox"
        expected.sernum = "7A11"
        expected.subtype = "SW 1.00"
        expected.subtype1 = "PROTVER=27.11"
        expected.readonly = true
        expected.activated = Timestamp(nanosecondsSince1970: 1_795_165_019_123_000_000)
        expected.flags = 1
        expected.native = 1
        expected.bps = 38400
        expected.parity = "N"
        expected.stopbits = 1
        expected.cycle = 1
        expected.mincycle = 0.04
        expected.hexdata = "b562"
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

    @Test func `a TPV report contains time, position and velocity`() throws {
        let report = try tpv(
            #"{"class":"TPV","device":"/dev/ttyACM0","status":3,"mode":3,"time":"2026-11-20T08:56:59.123Z","#
                + #""leapseconds":18,"lat":45.073612345,"lon":-7.680431000,"altHAE":263.9,"altMSL":-12.25,"eph":5.4,"#
                + #""ecefx":-2386053.20,"climb":-0.000,"datum":"WGS84","dgpsSta":120,"jam":60,"#
                + #""timing":1,"sats": 9}"#)
        #expect(report.device == "/dev/ttyACM0")
        #expect(report.status == 3)
        #expect(report.mode == 3)
        #expect(report.time == Timestamp(nanosecondsSince1970: 1_795_165_019_123_000_000))
        #expect(report["leapseconds"] == 18)
        #expect(report.lat == 45.073612345)
        #expect(report.lon == -7.680431)
        #expect(report["altHAE"] == 263.9)
        #expect(report["altMSL"] == -12.25)
        #expect(report["eph"] == 5.4)
        #expect(report["ecefx"] == -2386053.20)
        #expect(report["climb"] == 0)
        #expect(report.datum == "WGS84")
        #expect(report["dgpsSta"] == 120)
        #expect(report["jam"] == 60)
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
        #expect(report.nSat == 2)
        #expect(report.uSat == 1)
        var first = SKYReport.Satellite()
        first.PRN = 66
        first.gnssid = 6
        first.svid = 2
        first.sigid = 1
        first.freqid = 9
        first.az = 310
        first.el = -7.5
        first.pr = 2.1e7
        first.prRate = -12.5
        first.prRes = 0.5
        first.qual = 7
        first.ss = 41
        first.used = true
        first.health = 1
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
