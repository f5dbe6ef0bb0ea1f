import LocationCore
import TestSupport
import Testing

@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal

/// Whole commands over recordings with numbers that no receiver sends.
@Suite(.serialized, .withClocks) struct HostileReportTests {
    private static let values = ["1e19", "-9e18", "-91", "1e300", "4.9e-324", "-0.0", "9223372036854775808"]

    private static let commands = [
        "once -a 10", "once --fix 3d -a 1", "watch --pace max", "watch --pace max -j --sky",
        "watch --pace max --sky --units dms,imperial", "watch --pace max --csv",
        "watch --pace max -f %{lat}/%{eph}/%{compass}/%{course}/%{alt}/%{speed}", "stats --plot", "stats -j",
        "export csv -a 10", "export nmea", "export gpx", "export kml", "export gpsd", "export geojson",
    ]

    static func recording(_ value: String) -> String {
        let numbers = [
            "eph", "epx", "epy", "epv", "sep", "ept", "eps", "epd", "epc", "speed", "track", "magtrack", "magvar",
            "climb", "altMSL", "altHAE", "geoidSep", "ecefx", "velN", "relN", "errEllMaj", "dgpsAge", "depth", "temp",
            "dgpsSta", "leapseconds", "jam", "ant", "status",
        ].map { "\"\($0)\":\(value)" }.joined(separator: ",")
        let sky = ["hdop", "pdop", "nSat", "uSat"].map { "\"\($0)\":\(value)" }.joined(separator: ",")
        let satellite = ["PRN", "svid", "gnssid", "el", "az", "ss", "qual", "health", "sigid", "freqid", "prRes"]
            .map { "\"\($0)\":\(value)" }.joined(separator: ",")
        var lines = [#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#]
        lines.append(
            #"{"class":"DEVICE","path":"/dev/a","activated":\#(value),"bps":\#(value),"stopbits":\#(value),"parity":"N","cycle":\#(value)}"#
        )
        for second in 10..<40 {
            let time = "2026-11-20T09:00:\(second).000Z"
            lines.append(
                #"{"class":"SKY","device":"/dev/a","time":"\#(time)",\#(sky),"satellites":[{\#(satellite),"used":true}]}"#
            )
            lines.append(
                #"{"class":"TPV","device":"/dev/a","mode":3,"time":"\#(time)","lat":45.0000\#(second),"lon":7,\#(numbers)}"#
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test(arguments: values, commands)
    func `extreme numbers make no command trap, hang or write endlessly`(value: String, command: String) async throws {
        let tool = try await CommandTrial.run("\(command) @", reading: Self.recording(value))
        // Of the accuracies only the smallest number is one.
        let hasFix = value == "4.9e-324" || !command.contains(" -a ")
        #expect(tool.code == (hasFix ? .done : .noFix), "\(tool.status) \(tool.errors)")
        #expect(tool.output.utf8.count < 1_000_000)
    }

    @Test(arguments: ["-91", "-9e18"])
    func `a negative accuracy is unknown`(_ value: String) async throws {
        #expect(try await CommandTrial.run("once -a 10 @", reading: Self.recording(value)).code == .noFix)
    }

    @Test func `only the verbose log reports impossible values`() {
        let notice = LocationEvent.notice(.implausibleValue(field: "eph", device: "/dev/a"))
        #expect(JSONPrinter().text(of: notice) == "")
        #expect(TextPrinter(style: TextStyle(), localTime: .utc).text(of: notice) == "")
        var diary = VerboseLog()
        #expect(
            diary.words(for: .update(LocationUpdate(notice, at: ScriptedSession.moment(1))))
                == "notice: /dev/a reports an impossible value of eph, treated as unknown")
    }
}
