import Foundation
import LocationCore
import LocationPublishing
import TestSupport
import Testing

/// The bytes that each target's server receives for the same records.
@Suite struct TargetTranscriptTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_773_998_845_400_000_000)

    /// The records with their names, one a second.
    private static let records: [(name: String, record: PublishRecord)] = {
        func place(_ second: Int) -> Location {
            Location(
                coordinate: Coordinate(latitude: 45.0501234567, longitude: -7.68), fix: .threeD,
                timestamp: start.advanced(by: .seconds(second)))
        }
        func record(_ second: Int, _ occasion: PublishRecord.Occasion = .moved) -> PublishRecord {
            PublishRecord(occasion, created: start.advanced(by: .seconds(second + 3)), location: place(second))
        }
        var whole = record(0)
        whole.created = start
        whole.location?.horizontalAccuracy = 4.2
        whole.location?.verticalAccuracy = 7.56789
        whole.location?.altitudeMSL = 241.34567
        whole.location?.altitudeHAE = 289.25
        whole.location?.geoidSeparation = 47.9
        whole.location?.speed = 3.98765
        whole.location?.course = 181.456
        whole.location?.speedAccuracy = 0.41234
        whole.location?.courseAccuracy = 2.345
        whole.location?.climb = -0.5
        whole.location?.device = "/dev/ttyACM0"
        whole.sky = SkyView(satellites: nil, seen: 12, used: 9)
        var judged = record(2, .heartbeat)
        (judged.verdict, judged.isStationary, judged.distance) = (.suspect, true, 1234.5)
        judged.location?.altitudeMSL = 10
        judged.location?.geoidSeparation = 40
        var least = record(4, .found)
        least.location?.horizontalAccuracy = 0
        least.location?.verticalAccuracy = 0
        least.location?.speed = 0
        least.location?.course = 0
        var most = record(5)
        most.location?.horizontalAccuracy = 0.6
        most.location?.verticalAccuracy = 1e9
        most.location?.speed = 1e9
        most.location?.course = 360
        var impossible = record(6)
        impossible.location?.horizontalAccuracy = -1
        impossible.location?.verticalAccuracy = -1
        impossible.location?.speed = -1
        impossible.location?.course = 360.5
        var backwards = record(7)
        backwards.location?.speed = 1
        backwards.location?.course = -0.5
        var (again, entered) = (record(26), record(27, .fence(.enter, name: "home")))
        (again.isRepeated, entered.isRepeated) = (true, true)
        let seconds = (1 << 31) / 1000
        func dated(_ milliseconds: Int64) -> PublishRecord {
            var dated = record(0)
            dated.location?.timestamp = Timestamp(nanosecondsSince1970: milliseconds * 1_000_000)
            dated.created = Timestamp(nanosecondsSince1970: milliseconds * 1_000_000 + 999_999_999)
            return dated
        }
        return [
            ("with every value", whole), ("in the same second", dated(1_773_998_845_900)),
            ("with few values", record(1)),
            ("that is not to be believed, standing", judged), ("by hand", record(3, .manual)),
            ("found, with zeros", least), ("with the largest numbers", most), ("with impossible numbers", impossible),
            ("with a negative course", backwards), ("before 1970", dated(-1)), ("in 1970", dated(0)),
            ("the last one in seconds", dated(Int64(1 << 31) - 1)), ("the first one in milliseconds", dated(1 << 31)),
            ("long ago", dated(Int64(seconds) * 1000)),
            ("lost, with the last position", record(20, .lost)),
            ("lost", PublishRecord(.lost, created: start.advanced(by: .seconds(21)), location: nil)),
            ("inside a fence", record(22, .fence(.inside, name: "home & garden"))),
            ("entering one", record(23, .fence(.enter, name: "home"))),
            ("staying there", record(24, .fence(.dwell, name: "home"))),
            ("leaving it", record(25, .fence(.exit, name: "a\"b"))),
            ("that may have arrived before", again), ("entering a fence, which may have arrived before", entered),
        ]
    }()

    private static let fields = PublishTemplate.names.map { "%{\($0)}" }.joined(separator: ",")

    /// The words of the targets, with the body for those that take one.
    private static let words: [(word: String, body: String?)] = [
        ("mqtt://h/owntracks/anna/boat", nil), ("mqtts://h/owntracks/anna/boat?tracker=Z", nil),
        ("mqtt://h/a/b", nil), ("mqtt+ha://h", nil), ("mqtt+ha://h?discovery=other/place", nil),
        ("owntracks+http://h/pub?u=anna&d=boat", nil), ("traccar://h", nil), ("traccars://h:82/x?id=a%20b", nil),
        ("overland+http://h/api", nil), ("http://h/x?a=%{lat}&o=%{occasion}&t=%{time}&u=%{alt}", nil),
        ("http://h/x", nil),
        ("https://h/x?method=put", #" [{"fields": "\#(fields)", "one": %{time}, "q": "\"%{lat}"}]"#),
        ("http://h/x?method=patch", "lat=%{lat:.2} speed=%{speed|none} \"%{fence}\""),
        ("http://h/write?db=x", "influx"), ("udp+text://h:1", "%{lat} %{speed|0}"),
        ("tcp+text://h:1", "%{lat}\t%{speed}"),
        ("tcp+text://h:1?newest", "influx"), ("udp://h", nil), ("tcp-listen://:1?sentences=GGA,RMC", nil),
        ("file:/tmp/x", nil), ("file:/tmp/x?format=%{lat:.1} %{speed}", nil), ("cot+udp://239.2.3.1", nil),
    ]

    private func transcript(of encoder: TargetEncoder) -> [String] {
        switch encoder {
        case .mqtt(let settings, var target):
            let port = "port \(settings.port), \(settings.clientID), backlog \(target.backlog)"
            target.willConnect(at: Self.start.advanced(by: .seconds(9)))
            var lines = [port, "will: \(target.will.map(text) ?? "none")"]
            lines += target.probes.map { "probe: \(text($0))" } + target.subscriptions.map { "subscribes: \($0)" }
            lines += target.greeting().map { "greeting: \(text($0))" }
            for (name, record) in Self.records {
                lines.append("\(name):")
                lines += target.messages(for: record, isOld: false).map { "  \(text($0))" }
                lines += target.messages(for: record, isOld: true).map { "  old: \(text($0))" }
            }
            for (topic, word) in [
                ("homeassistant/status", "online"), ("homeassistant/status", "offline"),
                ("other/place/status", "online"),
            ] {
                let count = target.response(to: MQTTMessage(topic, Array(word.utf8))).count
                lines.append("\(word) on \(topic): \(count) messages")
            }
            return lines + target.farewell().map { "farewell: \(text($0))" }
        case .http(var target):
            var lines = ["batch \(target.batchSize)" + (target.advice.map { ", advice: \($0)" } ?? "")]
            for (name, record) in Self.records {
                lines.append("\(name)\(target.includes(record) ? "" : ", which a batch leaves out"):")
                if target.admits(record), let request = target.request(for: [record]) {
                    lines += text(request).map { "  \($0)" }
                }
            }
            lines.append("all:")
            if let request = target.request(for: Self.records.map(\.record)) {
                lines += text(request).map { "  \($0)" }
            }
            for (status, body) in [
                (200, ""), (200, "ok"), (200, " [ ] "), (200, "[]x"), (200, "<html>"), (200, #"{"result" : "ok"}"#),
                (200, #"x{"result":"ok"}"#), (299, "[]"), (300, ""), (400, ""), (404, ""), (408, ""), (425, ""),
                (429, ""), (499, ""), (500, ""), (599, ""), (600, ""),
            ] {
                let response = HTTPResponse(status: status, headers: ["Retry-After": "7"], body: Array(body.utf8))
                lines.append("\(status) \(body): \(target.verdict(on: response))")
            }
            return lines
        case .datagrams(let host, let port, let target):
            return ["host \(host), port \(port)"] + transcript(of: target)
        case .connection(let host, let port, let target, let keepsQueue):
            return ["host \(host), port \(port), queue \(keepsQueue)"] + transcript(of: target)
        case .listener(let address, let port, let target):
            return ["address \(address ?? "-"), port \(port)"] + transcript(of: target)
        case .path(let path, let entry, let mode, let target):
            return ["\(entry) \(path), mode \(String(mode, radix: 8))"] + transcript(of: target)
        }
    }

    private func transcript(of target: any StreamTarget) -> [String] {
        Self.records.flatMap { name, record in
            ["\(name):"]
                + target.datagrams(for: record).map { "  " + String(decoding: $0, as: UTF8.self).debugDescription }
        }
    }

    private func text(_ message: MQTTMessage) -> String {
        let payload = String(decoding: message.payload, as: UTF8.self)
        return "\(message.topic) \(message.quality)\(message.isRetained ? " retained" : "") \(payload)"
    }

    private func text(_ request: HTTPRequest) -> [String] {
        ["\(request.method.rawValue) \(request.url.text)"] + request.headers.fields.map { "\($0.name): \($0.value)" }
            + String(decoding: request.body, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `every target's server receives the same bytes for the same records as before`() throws {
        var lines: [String] = []
        for (word, body) in Self.words {
            var options = TargetOptions(hostName: "boat-1", version: "1.2", started: Self.start)
            options.positionInterval = .seconds(20)
            options.body = try body.map { $0 == "influx" ? .influx : .template(try PublishTemplate($0)) }
            let target = try PreparedTarget.prepare([word], options)[0]
            let delivery = target.delivery
            lines.append("=== \(word)\(body.map { " with \($0)" } ?? "")")
            lines.append(
                "\(target.word), files \(target.word.fileName), backlog \(delivery.backlog), "
                    + "batches of \(delivery.batchSize), seed \(delivery.seed)")
            lines.append(
                "needs a sky: \(target.needsSky), a reader: \(target.encoder.needsReader), a queue: \(target.encoder.needsQueue)"
            )
            lines += transcript(of: target.encoder)
        }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        try GoldenFile("targets.txt", of: folder).expect(lines.joined(separator: "\n") + "\n")
    }
}
