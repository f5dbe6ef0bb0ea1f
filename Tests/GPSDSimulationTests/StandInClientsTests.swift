import GPSDSimulation
import Glibc
import LocationRecordings
import LocwatchPlatform
import Testing

/// Tests of the stand-in with Debian's own clients of gpsd and with libgps.
struct StandInClientsTests {
    private let environment = [
        "PATH": "/usr/bin:/bin", "TERM": "xterm", "LINES": "40", "COLUMNS": "100", "LC_ALL": "C",
    ]

    private func output(_ path: String, _ arguments: [String]) throws -> String {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let child = try ChildProcess(path: path, arguments: arguments, environment: environment, output: ends[1])
        close(ends[1])
        let text = everything(from: ends[0], until: { _ in false })
        #expect(child.wait(for: .seconds(10)) == .exited(0))
        return text
    }

    /// Reads a descriptor up to its end, or until the text is enough.
    private func everything(from descriptor: Int32, until isEnough: (String) -> Bool) -> String {
        var bytes: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(15)
        while ContinuousClock.now < deadline, !isEnough(String(decoding: bytes, as: UTF8.self)) {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 15_000) > 0 else { break }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EAGAIN { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `gpspipe prints the session as it was recorded`() throws {
        let lines = RecordedText.positions(5)
        let standIn = try paced(.max, RecordedText.session(lines))
        let text = try output("/usr/bin/gpspipe", ["-w", "-n", "8", "127.0.0.1:\(standIn.port)"])
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
            "/bin/sh", ["-c", "gpspipe -r -n 38 127.0.0.1:\(standIn.port) | grep '^\\$' | gpsdecode -j"])
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
        let shown = everything(from: terminal.master) { $0.contains(" 45.07361000 N") && $0.contains(" 7.68043100 E") }
        child.end()
        #expect(shown.contains(" 45.07361000 N"))
        #expect(shown.contains(" 7.68043100 E"))
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
        var name = Array("/tmp/locwatch-libgps-XXXXXX".utf8CString)
        #expect(mkdtemp(&name) != nil)
        let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            unlink(folder + "/client.c")
            unlink(folder + "/client")
            rmdir(folder)
        }
        try source.write(toFile: folder + "/client.c")
        let built = try output("/usr/bin/cc", ["-o", folder + "/client", folder + "/client.c", "-lgps", "-lm"])
        #expect(built.isEmpty)
        let standIn = try paced(.max, RecordedText.session(RecordedText.positions(3)))
        let printed = try output(folder + "/client", ["\(standIn.port)"])
        #expect(printed.hasPrefix("45.073610 7.680431"))
    }
}

extension String {
    struct NotWritten: Error { var code: Int32 }

    /// Writes the text to a file.
    func write(toFile path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw NotWritten(code: errno) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, self, utf8.count) == utf8.count else { throw NotWritten(code: errno) }
    }
}
