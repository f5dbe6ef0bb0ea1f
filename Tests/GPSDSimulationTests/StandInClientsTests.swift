import GPSDSimulation
import Glibc
import LocationRecordings
import LocwatchPlatform
import TestSupport
import Testing

/// Tests of the stand-in with Debian's own clients of gpsd and with libgps.
struct StandInClientsTests {
    private let environment = [
        "PATH": "/usr/bin:/bin", "TERM": "xterm", "LINES": "40", "COLUMNS": "100", "LC_ALL": "C",
    ]

    private func output(_ name: String, _ arguments: [String]) throws -> String {
        let tool = try Tool(name, arguments, environment: environment)
        #expect(tool.status == 0)
        return tool.output
    }

    @Test func `gpspipe prints the session as it was recorded`() throws {
        let lines = RecordedText.positions(5)
        let standIn = try paced(.max, RecordedText.session(lines))
        let text = try output("gpspipe", ["-w", "-n", "8", "127.0.0.1:\(standIn.port)"])
        let printed = text.split(whereSeparator: \.isNewline).map(String.init)
        #expect(printed == [RecordedText.version, RecordedText.devices, RecordedText.watch] + lines)
        #expect(standIn.progress.requests.first?.text.hasPrefix("?WATCH={") == true)
    }

    @Test func `gpsdecode reads the session back from the output of gpspipe -r`() throws {
        let sky =
            #"{"class":"SKY","device":"/dev/ttyUSB0","hdop":0.90,"vdop":1.40,"pdop":1.70,"satellites":["#
            + #"{"PRN":5,"gnssid":0,"svid":5,"el":45.0,"az":120.0,"ss":40.0,"used":true},"#
            + #"{"PRN":7,"gnssid":0,"svid":7,"el":15.0,"az":20.0,"ss":30.0,"used":false}]}"#
        let lines = RecordedText.positions(5).flatMap { [$0, sky] }
        let standIn = try paced(.max, RecordedText.session(lines))
        let text = try output(
            "sh", ["-c", "gpspipe -r -n 38 127.0.0.1:\(standIn.port) | grep '^\\$' | gpsdecode -j"])
        let reports = text.split(whereSeparator: \.isNewline).map(String.init)
        let positions = reports.filter { $0.hasPrefix(#"{"class":"TPV""#) && $0.contains(#""mode":3"#) }
        // gpsd needs the first epoch to learn where an epoch ends.
        #expect(positions.count >= 4)
        #expect(positions.last?.contains(#""time":"2026-03-01T08:00:04.000Z""#) == true)
        #expect(positions.last?.contains(#""lat":45.0736140"#) == true)
        #expect(positions.last?.contains(#""altMSL":263.9000"#) == true)
        let skies = reports.filter { $0.hasPrefix(#"{"class":"SKY""#) }
        #expect(skies.last?.contains(#""hdop":0.90"#) == true)
        #expect(
            skies.last?.contains(#"{"PRN":5,"el":45.0,"az":120.0,"ss":40.0,"used":true,"gnssid":0,"svid":5}"#) == true)
        #expect(
            skies.last?.contains(#"{"PRN":7,"el":15.0,"az":20.0,"ss":30.0,"used":false,"gnssid":0,"svid":7}"#) == true)
    }

    @Test func `cgps shows the recorded position in a terminal`() throws {
        let standIn = try paced(.times(5), RecordedText.session(RecordedText.positions(5))) { $0.loops = true }
        let terminal = try PseudoTerminal()
        let screen = open(terminal.path, O_RDWR | O_NOCTTY)
        defer { close(screen) }
        let child = try ChildProcess(
            path: "/usr/bin/cgps", arguments: ["127.0.0.1:\(standIn.port)"], environment: environment, input: screen,
            output: screen, error: screen)
        // The format of cgps; the JSON that it shows as well has neither the letters nor as many digits.
        let wanted = [" 45.07361000 N", " 7.68043100 E"]
        var bytes: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(15)
        while .now < deadline, !wanted.allSatisfy(String(decoding: bytes, as: UTF8.self).contains) {
            var watched = pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 15_000) > 0 else { break }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(terminal.master, &buffer, buffer.count)
            bytes += buffer.prefix(max(0, count))
        }
        child.end()
        #expect(wanted.allSatisfy(String(decoding: bytes, as: UTF8.self).contains))
    }

    @Test func `a program that uses libgps reads a position`() throws {
        let source = #"""
            #include <gps.h>
            #include <math.h>
            #include <stdio.h>
            int main(int count, char **words) {
                struct gps_data_t data;
                if (count < 2 || gps_open("127.0.0.1", words[1], &data) != 0) return 1;
                gps_stream(&data, WATCH_ENABLE | WATCH_JSON, NULL);
                while (gps_waiting(&data, 10000000)) {
                    if (gps_read(&data, NULL, 0) < 0) return 2;
                    if ((data.set & LATLON_SET) && data.fix.mode >= MODE_2D) {
                        printf("%.6f %.6f %s\n", data.fix.latitude, data.fix.longitude, data.dev.path);
                        gps_close(&data);
                        return 0;
                    }
                }
                return 3;
            }
            """#
        let scratch = try Scratch()
        try scratch.write(source, to: "client.c")
        let client = scratch.path("client")
        #expect(try output("cc", ["-o", client, scratch.path("client.c"), "-lgps", "-lm"]).isEmpty)
        let standIn = try paced(.max, RecordedText.session(RecordedText.positions(3)))
        let printed = try output(client, ["\(standIn.port)"])
        #expect(printed.hasPrefix("45.073610 7.680431"))
    }
}
