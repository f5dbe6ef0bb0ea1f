import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchCommand
@testable import LocwatchTerminal

/// Harmful names from outside, in every output format.
@Suite struct EvilNameTests {
    static let names = [
        "a\nb", "a\r\nb", "a\tb", "\u{0}", "\u{7}\u{8}", "\u{1B}[2J\u{1B}[31m", "\u{1B}]0;title\u{7}", "\u{9B}31m",
        "\u{9D}0;title\u{9C}", "\u{7F}", "\u{202E}txt.exe", "\u{2066}x\u{2069}", "\u{200B}", "\u{2028}\u{2029}",
        "\u{FEFF}", "\u{E000}\u{10FFFF}", "\u{FFFE}", "a\n9223372036854775807,,x",
        "\",\"segment\":9223372036854775807,\"",
        "</name><script>?>", "--><![CDATA[x]]>", "%{lat}", "=1+1", "a,\"b\"\r\n1", "$GPGGA,1*00\r\n",
        String(repeating: "\u{1B}", count: 300),
    ]

    /// Returns the hidden characters, except line ends, that no output may contain.
    private func hidden(in text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { VisibleText.isHidden($0) && $0 != "\n" && $0 != "\r" }
    }

    /// Returns a position of a receiver and in a datum with a name.
    private func location(_ name: String) -> Location {
        with(ScriptedSession.location(1)) {
            $0.device = name
            $0.datum = name
        }
    }

    private func updates(_ name: String) -> [TrackedUpdate] {
        let (moment, location) = (ScriptedSession.moment(1), location(name))
        let status = with(DeviceStatus(path: name, activity: .reporting)) {
            ($0.driver, $0.subtype, $0.framing, $0.speed) = (name, name, name, 9600)
        }
        let errors: [LocationError] = [
            .daemon(message: name), .other(code: name, message: name),
            .notGPSD(host: name, port: name, answer: name),
            .deviceUnusable(path: name, cause: .busy(holder: name)), .unreadable(path: name, cause: name),
        ]
        let reasons: [SearchReason] = [
            .connected(release: name), .deviceLost(path: name), .deviceSilent(path: name), .deviceBabbling(path: name),
            .deviceUnopenable(path: name), .noDevice,
        ]
        let notices: [Notice.NoticeContent] = [
            .message(name), .linesSkipped(count: 1, cause: name), .implausibleValue(field: name, device: name),
            .implausibleDate(moment.wall, device: name), .track(name: name), .leftOut(name),
        ]
        let events: [LocationEvent] =
            [.device(status), .satellites(SkyView(satellites: [Satellite(prn: 1)], device: name)), .location(location)]
            + errors.map { .failure($0) } + reasons.map { .searching($0, device: name) } + notices.map { .notice($0) }
        let states = [LocationState.found(location)] + errors.map { .error($0) } + reasons.map { .searching($0) }
        return events.map { .update(LocationUpdate($0, at: moment)) }
            + zip(states, states.dropFirst() + [.found(location)]).map {
                .transition(StateChange(from: $0, to: $1, at: moment, lasted: .seconds(1), device: name))
            }
    }

    private func printed(_ name: String, by printer: some EventPrinter) -> String {
        var view = SessionView()
        var (printer, out) = (printer, TextBuffer())
        printer.start(SessionStart(source: .recording(path: name), now: ScriptedSession.time(0)), into: &out)
        for update in updates(name) {
            printer.print(update, noting: &view, into: &out)
            if case .update(let told, _) = update, case .failure(let error, _) = told.event {
                printer.print(error, retry: .seconds(1), at: told.moment, into: &out)
            }
        }
        let fence = FenceEvent(
            fence: name, kind: .enter, moment: ScriptedSession.moment(2),
            coordinate: Coordinate(latitude: 1, longitude: 2))
        printer.print(.fence(fence), noting: &view, into: &out)
        printer.end(ScriptedSession.end, into: &out)
        return out.text
    }

    @Test(arguments: names)
    func `each format has no hidden characters and the same number of lines as for a harmless name`(
        _ name: String
    ) throws {
        let template = try Template.read("%{device} %{datum}")
        let printers: [any EventPrinter] = [
            TextPrinter(style: TextStyle(), localTime: .utc), JSONPrinter(selection: EventSelection(sky: true)),
            TemplatePrinter(template: template, style: TextStyle(), selection: .init(), localTime: .utc), CSVPrinter(),
            SatelliteCSVPrinter(), StateCSVPrinter(),
        ]
        for printer in printers {
            let text = printed(name, by: printer).replacing("\r\n", with: "\n")
            #expect(hidden(in: text) == [] && !text.utf8.contains(0x0D))
            let good = printed("good", by: printer)
            #expect(text.utf8.count { $0 == 0x0A } == good.utf8.count { $0 == 0x0A })
        }
    }

    @Test(arguments: names) func `the verbose log has no hidden characters`(_ name: String) {
        var diary = VerboseLog()
        for update in updates(name) {
            let words = diary.words(for: update) ?? ""
            #expect(hidden(in: words) == [] && !words.utf8.contains(0x0A))
        }
    }

    @Test(arguments: names) func `JSON reads back to the same name`(_ name: String) throws {
        let lines = printed(name, by: JSONPrinter(selection: EventSelection(sky: true))).split(separator: "\n")
        let devices = try lines.compactMap { line in
            (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["device"] as? String
        }
        #expect(Set(devices.map { Array($0.utf8) }) == [Array(name.utf8)])
    }

    @Test(arguments: ["=1+cmd", "+1+cmd", "-1+cmd", "@SUM(1)", "\u{FF1D}1+cmd"])
    func `no text in CSV is a formula for a spreadsheet`(_ name: String) throws {
        let printers: [any EventPrinter] = [CSVPrinter(columns: .all), SatelliteCSVPrinter(), StateCSVPrinter()]
        var texts = printers.map { printed(name, by: $0) }
        var stream = TrackStream(.csv, .init(columns: .all))
        var file: [UInt8] = []
        stream.process(.point(TrackPoint(location(name))), to: &file)
        stream.finish(to: &file)
        texts.append(String(decoding: file, as: UTF8.self))
        for text in texts {
            #expect(text.contains(",\"'\(name)"), "\(text)")
            #expect(!text.contains(",\(name)") && !text.contains(",\"\(name)"), "\(text)")
        }
    }

    @Test(arguments: names)
    func `statistics, the table of receivers and plots have no hidden characters`(_ name: String) {
        var statistics = TrackStatistics()
        for update in updates(name) + updates("b") { statistics.process(update) }
        let text = StatisticsText(statistics: statistics, source: .recording(path: name), localTime: .utc)
            .text(in: TextStyle())
        #expect(hidden(in: text) == [])
        var (json, table, out) = (JSONPrinter(), DeviceTable(showsTime: false, localTime: .utc), TextBuffer())
        json.print(statistics, into: &out)
        let status = with(DeviceStatus(path: name, activity: .gone)) { $0.driver = name }
        table.append(status, at: ScriptedSession.time(0))
        table.write(into: &out)
        #expect(hidden(in: out.text) == [])
        #expect(out.text.utf8.count { $0 == 0x0A } == 3)
        let plot = TrackPlot(statistics, title: name)
        #expect(hidden(in: String(decoding: plot.svg(), as: UTF8.self)) == [])
        #expect(hidden(in: plot.terminal(columns: 80, colour: false)) == [])
    }

    @Test(arguments: names)
    func `an error has no hidden characters, and a line each for message and advice`(_ name: String) {
        for error in [
            LocationError.daemon(message: name), LocationError.unresolvable(host: name, port: name, cause: name),
            LocationError.connectionLost(host: name, port: name, cause: name), .denied(what: name, cause: name),
            .deviceUnknown(path: name), .daemonUnavailable(cause: name), .notASession(path: name, line: 1, cause: name),
        ] {
            let text = ErrorText(error)
            #expect(hidden(in: text.lines) == [])
            #expect(text.lines.utf8.count { $0 == 0x0A } == (text.advice == nil ? 1 : 2))
        }
    }

    @Test(arguments: names, TrackOracle.all.map(\.format))
    func `a track has no hidden characters and no additional lines`(_ name: String, _ format: TrackFormat)
        throws
    {
        func written(_ name: String, _ points: Bool) -> String {
            var stream = TrackStream(format, .init(creator: name, name: name, pointFeatures: points))
            var bytes: [UInt8] = []
            stream.process(.point(TrackPoint(location(name))), to: &bytes)
            stream.finish(to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        for points in [false, true] {
            let text = written(name, points)
            #expect(hidden(in: text) == [])
            #expect(text.utf8.count { $0 == 0x0A } == written("good", points).utf8.count { $0 == 0x0A })
            #expect(TrackPoints.count(Array(text.utf8), format) == 1)
            guard format == .gpsd else { continue }
            for line in text.split(separator: "\n") { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
    }
}
