import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct StatusBarTests {
    private func printer(_ bar: StatusBar) -> StatusBarPrinter {
        StatusBarPrinter(bar: bar, style: TextStyle(), localTime: .utc)
    }

    @Test(arguments: StatusBar.all) func `the lines for a bar match their golden file`(bar: StatusBar) throws {
        try Golden.expect(printer(bar).scripted(), is: "Bars/\(bar.name).txt")
    }

    @Test(arguments: StatusBar.all)
    func `a bar gets the signals of the satellites, from which its verdict comes`(bar: StatusBar) throws {
        #expect(try Invocation.of("-f \(bar.name)").settings.output.carries(.signals))
        #expect(try !Invocation.of("-f %{lat}").settings.output.carries(.signals))
    }

    @Test func `the class follows the state, and a line is printed only when it differs`() async throws {
        let place = Location(
            coordinate: Coordinate(latitude: 45, longitude: 7), device: "/dev/gps0", horizontalAccuracy: 5)
        let error = LocationError.unreachable(host: "pi", port: 2947, cause: "refused")
        let result = try await CommandTrial.run(
            "-q -f waybar x",
            [
                .searching(.connected(release: nil)), .location(place), .wait(.seconds(1)), .location(place),
                .wait(.seconds(1)), .location(place), .wait(.seconds(30)),
                // gpsd says later that the receiver sends nothing.
                .searching(.deviceSilent(path: "/dev/gps0"), device: "/dev/gps0"), .location(place),
                .searching(.noFix(seen: 4, used: 0, best: 20), device: "/dev/gps0"), .error(error),
                .searching(.connecting(attempt: 2)), .error(error), .searching(.connecting(attempt: 3)), .error(error),
                .end,
            ])
        #expect(result.code == .done)
        let expected = ["searching", "searching", "found", "stale", "stale", "found", "lost", "error"]
        let objects = try result.objects()
        #expect(objects.map { $0["class"] as? String } == expected)
        #expect(objects.allSatisfy { Set($0.keys) == ["text", "alt", "class", "tooltip"] })
    }

    @Test func `of what arrives together only the newest state is printed`() {
        var view = SessionView()
        var printer = printer(.i3blocks)
        var out = TextBuffer()
        printer.start(ScriptedSession.start, into: &out)
        for update in ScriptedSession.updates { printer.print(update, noting: &view, into: &out) }
        #expect(out.count == 0)
        printer.printPending(into: &out)
        printer.printPending(into: &out)
        #expect(out.text == "<span color='#80c080'>45.07361 7.68043 ±5.4 m</span>\n")
    }

    @Test func `the tooltip has the receiver of the position and its satellites, whatever another one reports`()
        async throws
    {
        func place(_ device: String, _ latitude: Double) -> ScriptStep {
            .location(Location(coordinate: Coordinate(latitude: latitude, longitude: 7), device: device))
        }
        func sky(_ device: String, _ used: Int) -> ScriptStep {
            .satellites(SkyView(satellites: nil, seen: 20, used: used, device: device))
        }
        let result = try await CommandTrial.run(
            "-q -f waybar x",
            [
                .device(DeviceStatus(path: "/dev/a", activity: .reporting)), sky("/dev/a", 7), place("/dev/a", 45),
                .wait(.milliseconds(500)), .device(DeviceStatus(path: "/dev/b", activity: .reporting)),
                sky("/dev/b", 9),
                .wait(.seconds(1)), place("/dev/a", 46), .wait(.seconds(30)), place("fleet/c", 47), .wait(.seconds(1)),
                .device(DeviceStatus(path: "/dev/a", activity: .reporting)), .wait(.seconds(1)), .end,
            ])
        let tooltips = try result.objects().map { object in
            try #require(object["tooltip"] as? String).split(separator: "\n").map(String.init)
        }
        let found = tooltips.filter { $0[0].contains("fix") && !$0[0].contains("no fix") }
        #expect(found.count >= 3)
        for tooltip in found {
            let isOfFleet = tooltip.contains { $0.hasPrefix("47.") }
            #expect(tooltip.contains { $0.contains(isOfFleet ? "fleet/c" : "/dev/a") }, "\(tooltip)")
            #expect(
                !tooltip.contains { $0.contains("/dev/b") || $0.contains("9 used") || isOfFleet && $0.contains("used") }
            )
            #expect(isOfFleet || tooltip.contains { $0.contains("7 used") }, "\(tooltip)")
        }
    }

    @Test(arguments: StatusBar.all)
    func `once prints one line, with the position or the reason why there is none`(bar: StatusBar) async throws {
        let found = try await CommandTrial.run(
            "once -q -f \(bar.name) x", [.searching(.connected(release: nil)), .location(45, 7), .end])
        #expect(found.lines.count { $0.contains("45.00000 7.00000") } == 1)
        #expect(found.lines.count == (bar.name == "i3bar" ? 4 : 1), "\(found.output)")
        let lost = try await CommandTrial.run("once -q -t 2s -f \(bar.name) x", [.hang])
        #expect(lost.code == .noFix)
        #expect(lost.lines.count { $0.contains("GPS error") } == 1)
    }

    @Test func `all lines of i3bar are one JSON array`() throws {
        let output = printer(.i3bar).scripted()
        let lines = output.split(separator: "\n")
        #expect(lines.first == #"{"version":1}"#)
        let array =
            try JSONSerialization.jsonObject(
                with: Data(lines.dropFirst().joined(separator: "\n").utf8)) as? [[[String: Any]]]
        #expect((array?.count ?? 0) > 3)
        #expect(array?.allSatisfy { $0.count == 1 && $0[0]["full_text"] is String } == true)
    }

    // MARK: Hostile text

    private static let evil =
        EvilNameTests.names + [
            "<b>&amp;", "'\"", "%{F#f00}%{A1:reboot:}", "%%{", "#[fg=red]#(reboot)#{pane_id}##", "$(reboot)",
            "<span size='1000000'>", "\n,[{\"full_text\":\"x\"}]",
        ]

    /// Returns the line for a status that consists of a text from outside.
    private func line(_ bar: StatusBar, _ name: String) -> String {
        bar.line(BarStatus(kind: .error, text: name, shortText: name, tooltip: [name, name]))
    }

    /// Returns a text as it is in the markup of i3blocks.
    private func pango(_ text: String) -> String {
        String(line(.i3blocks, text).dropFirst("<span color='#e05050'>".count).dropLast("</span>\n".count))
    }

    @Test(arguments: evil) func `no text from outside can be markup, a format or a line`(name: String) throws {
        for bar in StatusBar.all {
            let line = line(bar, name)
            #expect(line.unicodeScalars.count { $0 == "\n" } == 1 && line.hasSuffix("\n"), "\(bar)")
            #expect(!line.unicodeScalars.dropLast().contains { VisibleText.isHidden($0) }, "\(bar)")
        }
        let waybar = try #require(
            try JSONSerialization.jsonObject(with: Data(line(.waybar, name).utf8)) as? [String: String])
        let pango = pango(name)
        #expect(waybar["text"] == pango)
        #expect(waybar["tooltip"] == "\(pango)\n\(pango)")
        #expect(!pango.contains { "<>'\"".contains($0) })
        let i3bar = try JSONSerialization.jsonObject(with: Data(line(.i3bar, name).utf8)) as? [[String: Any]]
        #expect(i3bar?.first?["full_text"] as? String == name.printable)
        #expect(line(.polybar, name).dropFirst("%{F#e05050}".count).dropLast("%{F-}\n".count).contains("%") == false)
        #expect(
            line(.tmux, name).dropFirst("#[fg=#e05050]".count).dropLast("#[default]\n".count).contains("#") == false)
    }

    @Test func `a parser of markup reads every text from outside as it is`() throws {
        let lines = Self.evil.map { line(.i3blocks, $0) }
        let python = """
            import json, sys, xml.etree.ElementTree as tree
            json.dump([tree.fromstring(line).text for line in json.load(sys.stdin)], sys.stdout)
            """
        let input = String(decoding: try JSONSerialization.data(withJSONObject: lines), as: UTF8.self)
        let output = try Tool("python3", ["-c", python], input: input).output
        let texts = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String]
        #expect(texts == Self.evil.map(\.printable))
    }
}
