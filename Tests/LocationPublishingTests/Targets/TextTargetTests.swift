import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationPublishing

@Suite struct TextTargetTests {
    private func target(_ template: String, isLine: Bool = false) throws -> TextTarget {
        TextTarget(try PublishTemplate(template), isLine: isLine)
    }

    @Test func `each position is a text, as a datagram or as a line`() throws {
        let record = Samples.record()
        #expect(try target("%{lat},%{lon:.1}").datagrams(for: record).map(text) == ["45.05,7.7"])
        #expect(
            try target("%{lat},%{lon:.1}", isLine: true).datagrams(for: record).map(text) == [
                "45.05,7.7\n"
            ])
        for occasion in [PublishRecord.Occasion.lost, .fence(.enter, name: "x")] {
            #expect(try target("%{lat}").datagrams(for: Samples.record(occasion)) == [])
        }
        #expect(try target("%{created}").datagrams(for: Samples.record(.lost, nil)) == [])
    }

    @Test func `a position that lacks a value is left out, unless the template has a text for that`()
        throws
    {
        let record = Samples.record(.moved, Samples.bare(45, 7))
        #expect(try target("%{lat} %{course}").datagrams(for: record) == [])
        #expect(
            try target("%{lat} %{course|0} %{speed:.1|none}").datagrams(for: record).map(text) == [
                "45 0 none"
            ])
        #expect(
            try target("%{lat} %{course:.1|0}").datagrams(for: Samples.record()).map(text) == [
                "45.05 181.4"
            ])
        #expect(
            try target(#"{"c":%{course|null}}"#).datagrams(for: record).map(text) == [#"{"c":null}"#])
    }

    @Test(arguments: Samples.hostileNames)
    func `no name breaks a line or a string`(name: String) throws {
        let record = Samples.record(.moved, with(Samples.location) { $0.device = name })
        let line = try target("%{device} end", isLine: true).datagrams(for: record).map(text)
        #expect(line.count == 1 && line[0].utf8.count { $0 < 0x20 } == 1 && line[0].hasSuffix(" end\n"))
        let json = try target(#"{"d":%{device}}"#).datagrams(for: record)
        #expect(try object(json[0])["d"] as? String == name)
    }

    // MARK: The recipes of the manual

    /// Returns the template and the target of the command of the manual that has a word.
    private func recipe(with word: String) throws -> (body: String, target: String, options: [String]) {
        let manual = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Manual/lines.txt")
        let lines = try String(contentsOf: manual.standardizedFileURL, encoding: .utf8).split(
            separator: "\n")
        let start = try #require(lines.firstIndex { $0.contains(word) && $0.contains("--body") })
        let command = lines[start...].prefix { $0.hasPrefix("    ") }.joined(separator: "\n")
        // The shell takes the quotation marks away.
        let shown = try Tool("bash", ["-c", "locwatch() { printf '%s\\n' \"$@\"; }; \(command)"])
        let arguments = shown.output.split(separator: "\n").map(String.init)
        let body = try #require(arguments.firstIndex(of: "--body")) + 1
        return (arguments[body], try #require(arguments.last), arguments)
    }

    @Test func `the recipe for ForeFlight makes what its page describes`() throws {
        let recipe = try recipe(with: "XGPS")
        #expect(recipe.target.hasSuffix(":49002") && recipe.options.contains("1s"))
        #expect(try TargetWord(recipe.target).scheme.name == "udp+text")
        let messages = try [
            Samples.location, with(Samples.location) { ($0.course, $0.speed) = (nil, nil) },
        ].map {
            try target(recipe.body).datagrams(for: Samples.record(.moved, $0))
        }
        #expect(
            messages.flatMap(\.self).map(text) == [
                "XGPSlocwatch,7.68000,45.05000,241.3,181.40,3.9", "XGPSlocwatch,7.68000,45.05000,241.3,0,0",
            ])
        for message in messages.flatMap(\.self) {
            // "The words are separated by a comma (no word may contain a comma)": the name, the longitude, the latitude, the altitude in
            // metres above mean sea level, the track along the ground from true north, and the ground speed in metres per second.
            let words = text(message).split(separator: ",", omittingEmptySubsequences: false)
            #expect(words.count == 6 && words[0].hasPrefix("XGPS") && words[0].count > 4)
            let numbers = try words.dropFirst().map { try #require(Double($0)) }
            #expect(
                -180...180 ~= numbers[0] && -90...90 ~= numbers[1] && 0...360 ~= numbers[3]
                    && numbers[4] >= 0)
        }
        // Without an altitude there is no message, because each word is required.
        #expect(try target(recipe.body).datagrams(for: Samples.record(.moved, Samples.bare())) == [])
    }

    @Test func `the recipe for MAVProxy makes the message GPS_INPUT`() throws {
        let recipe = try recipe(with: "time_usec")
        #expect(recipe.target == "udp+text://127.0.0.1:25100")
        let target = try target(recipe.body)
        let south = with(Samples.location) {
            $0.coordinate = Coordinate(latitude: -33.8567844, longitude: -179.9999999)
        }
        let messages = [Samples.record(used: 9), Samples.record(.moved, south)].flatMap {
            target.datagrams(for: $0)
        }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Oracles/gps_input.py")
        let tool = try Tool(
            "python3", [script.standardizedFileURL.path], input: messages.map { text($0) + "\n" }.joined()
        )
        try #require(tool.status == 0, "\(tool.errors)")
        let packed = try tool.output.split(separator: "\n").map { try object(Array($0.utf8)) }
        try #require(packed.count == 2)
        #expect(
            packed[0]["time_usec"] as? Int == 1_773_998_845_400_000 && packed[0]["fix_type"] as? Int == 3)
        #expect(packed[0]["lat"] as? Int == 450_500_000 && packed[0]["lon"] as? Int == 76_800_000)
        #expect(
            packed[0]["satellites_visible"] as? Int == 9 && packed[1]["satellites_visible"] as? Int == 0)
        #expect(packed[1]["lat"] as? Int == -338_567_844 && packed[1]["lon"] as? Int == -1_799_999_999)
        #expect((packed[0]["alt"] as? Double).map { abs($0 - 241.3) < 0.001 } == true)
        // The module would keep the value of an older position, so that one without an accuracy is left out.
        #expect(
            target.datagrams(for: Samples.record(.moved, with(south) { $0.verticalAccuracy = nil })) == []
        )
    }
}

/// Tests of the lines of records, which a strict parser in Python reads.
@Suite struct InfluxRecordTests {
    private func points(_ bytes: [UInt8]) throws -> [[String: Any]] {
        let oracles = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Oracles")
        let script = oracles.appending(path: "influx_lines.py")
        let tool = try Tool("python3", [script.standardizedFileURL.path], input: text(bytes))
        try #require(tool.status == 0, "\(tool.errors)")
        return try tool.output.split(separator: "\n").map { try object(Array($0.utf8)) }
    }

    private func webhook(_ url: String = "https://h/write?bucket=b") throws -> HTTPTarget {
        try HTTPTarget.webhook(PublishTemplate(url), body: .influx, host: "my boat")
    }

    @Test func `a body of lines has every record with a position, at its time`() throws {
        let records = [
            Samples.record(used: 9), Samples.record(.lost),
            Samples.record(.fence(.enter, name: "ho\"me\\")),
            Samples.record(.lost, nil),
        ]
        let target = try webhook()
        #expect(target.batchSize == 500 && records.map(target.includes) == [true, false, true, false])
        let request = try #require(target.request(for: records))
        #expect(
            request.method == .post && request.headers["Content-Type"] == "text/plain; charset=utf-8")
        #expect(request.url.text == "https://h/write?bucket=b")
        let points = try points(request.body)
        try #require(points.count == 2)
        let fields = try #require(points[0]["fields"] as? [String: Any])
        #expect(
            points[0]["tags"] as? [String: String] == ["device": "/dev/ttyACM0", "host": "my boat"])
        #expect(points[0]["time"] as? Int == 1_773_998_845_400_000_000 && fields["used"] as? Int == 9)
        #expect(fields["lat"] as? Double == 45.05 && fields["quality"] as? String == "ordinary")
        #expect(fields["integrity"] as? String == "nominal" && fields["occasion"] as? String == "moved")
        #expect((points[1]["fields"] as? [String: Any])?["fence"] as? String == "ho\"me\\")
        #expect(target.request(for: [records[1]]) == nil)
    }

    @Test func `an address with values has one record`() throws {
        let target = try webhook("https://h/write/%{device}")
        #expect(target.batchSize == 1)
        let request = try #require(target.request(for: [Samples.record(), Samples.record()]))
        #expect(try points(request.body).count == 1)
    }

    @Test func `every record is a valid line, with numbers and names of any kind`() throws {
        let target = try webhook()
        let records = Samples.hostileRecords
        let request = try #require(target.request(for: records))
        #expect(try points(request.body).count == records.count(where: target.includes))
    }

    @Test func `a text target sends lines too, with the name of the machine`() throws {
        var options = TargetOptions(
            hostName: "boat", version: "1", started: Timestamp(nanosecondsSince1970: 0))
        #expect(throws: PublishError.self) { try PreparedTarget.prepare(["udp+text://h:1"], options) }
        options.body = .influx
        let target = try #require(try PreparedTarget.prepare(["tcp+text://h:1"], options).first)
        guard case .connection("h", 1, let encoder, keepsQueue: true) = target.encoder else {
            Issue.record("\(target.encoder)")
            return
        }
        let lines = encoder.datagrams(for: Samples.record())
        #expect(
            try points(lines[0]).first?["tags"] as? [String: String] == [
                "device": "/dev/ttyACM0", "host": "boat",
            ])
    }

    @Test
    func
        `the order after an outage can be chosen, and a text target keeps a queue`()
        throws
    {
        var options = TargetOptions(
            hostName: "boat", version: "1", started: Timestamp(nanosecondsSince1970: 0))
        func backlog(_ word: String) throws -> BacklogOrder {
            try #require(try PreparedTarget.prepare([word], options).first).delivery.backlog
        }
        for word in ["mqtt://h/a", "mqtt://h/owntracks/u/d", "mqtts://h/a"] {
            #expect(try backlog(word) == .newestFirst && backlog(word + "?newest") == .none)
            #expect(try backlog(word + "?ordered") == .ordered)
        }
        for word in ["http://h/a", "traccar://h", "owntracks+http://u@h"] {
            #expect(try backlog(word) == .ordered && backlog(word + "?newest") == .none)
        }
        // Parameters of release 0.5.
        #expect(try backlog("mqtt://h/a?order=oldest") == .ordered)
        #expect(try backlog("mqtt://h/a?order=newest") == .newestFirst)
        for (word, body) in [("overland+http://h", RecordBody?.none), ("http://h/write", .influx)] {
            options.body = body
            #expect(try backlog(word) == .newestFirst && backlog(word + "?ordered") == .ordered)
            #expect(try backlog(word + "?newest") == .none)
        }
        options.body = .template(try PublishTemplate("%{lat}"))
        #expect(
            try backlog("tcp+text://h:1?newest") == .none && backlog("tcp+text://h:1") == .ordered)
        #expect(try PreparedTarget.prepare(["tcp+text://h:1"], options)[0].encoder.needsQueue)
        #expect(try !PreparedTarget.prepare(["tcp+text://h:1?newest"], options)[0].encoder.needsQueue)
        #expect(try backlog("tcp+text://h:1?order=oldest") == .ordered)
        #expect(try TargetWord("mqtt://h/a?order=oldest").former?.advice == "write ?ordered")
        // A target that never had the parameter leaves it to its server.
        #expect(try TargetWord("http://h/a?order=oldest").former == nil)
        #expect(try TargetWord("mqtt://h/a").sendingNewestOnly == TargetWord("mqtt://h/a"))
        for word in [
            "udp+text://h:1?newest", "tcp+text://h:1?newest=1", "tcp+text://h",
            "udp+text://h:1/x",
        ] {
            #expect(throws: PublishError.self) { try TargetWord(word) }
        }
        // The parameter is not a part of the identity, so that the same queue is sent in the other order.
        #expect(try TargetWord("mqtt://h/a").fileName == TargetWord("mqtt://h/a?ordered").fileName)
        #expect(try TargetWord("mqtt://h/a").fileName == TargetWord("mqtt://h/a?order=oldest").fileName)
        // A parameter with a value is one of the server.
        #expect(try backlog("http://h/a?newest=1") == .ordered)
    }
}
