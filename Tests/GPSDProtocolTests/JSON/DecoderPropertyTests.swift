import Foundation
import LocationCore
import GPSDProtocol
import Testing

@Suite struct DecoderPropertyTests {
    static let count = ProcessInfo.processInfo.environment["LOCWATCH_LINES"].flatMap(Int.init) ?? 4000

    @Test func `the decoder accepts and rejects the same random objects as Foundation`() throws {
        var lines = RandomLines(seed: 21)
        var decoder = ReportDecoder()
        var accepted = 0
        for _ in 0..<Self.count {
            let line = lines.next()
            let ours = Result { () throws(ReportError) in try decoder.decode(line) }.report
            let theirs = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect((ours != nil) == (theirs?["class"] is String), "\(line)")
            accepted += ours == nil ? 0 : 1
        }
        #expect(accepted > Self.count / 2)
    }

    @Test func `the numbers, strings and flags of random reports equal Foundation's`() throws {
        var lines = RandomLines(seed: 22)
        var decoder = ReportDecoder()
        for _ in 0..<Self.count {
            let line = lines.tpv()
            guard case .tpv(let report) = try decoder.decode(line) else { throw UnexpectedClass(line: line) }
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            func number(_ key: String) -> Double? {
                guard let number = object[key] as? NSNumber else { return nil }
                // Foundation represents Booleans as numbers with the type of a character.
                return ["c", "B"].contains(String(cString: number.objCType)) ? nil : number.doubleValue
            }
            #expect(isClose(report.lat, number("lat")), "\(line)")
            #expect(isClose(report[.altitudeMSL], number("altMSL")), "\(line)")
            #expect(isClose(report[.ecefPositionAccuracy], number("ecefpAcc")), "\(line)")
            #expect(report.device == object["device"] as? String, "\(line)")
            #expect(report.datum == object["datum"] as? String, "\(line)")
        }
    }

    // Foundation's decoding of long numbers is off by a few units in the last place.
    private func isClose(_ ours: Double?, _ theirs: Double?) -> Bool {
        guard let ours, let theirs else { return ours == theirs }
        return abs(ours - theirs) <= 1e-15 * abs(theirs)
    }

    @Test func `the decoder does not read beyond a line's end`() throws {
        // In memory, the line is followed by the bytes that would make it well-formed.
        let bytes = Array(#"{"class":"TPV","mode":3,"lat":45.07361,"device":"/dev/ttyACM0"}"#.utf8)
        var decoder = ReportDecoder()
        try bytes.withUnsafeBytes { bytes in
            for count in 0..<bytes.count {
                #expect(throws: ReportError.self) {
                    try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                }
            }
            guard case .tpv(let report) = try decoder.decode(bytes) else { throw UnexpectedClass(line: "") }
            #expect(report.lat == 45.07361)
        }
    }
}

/// A seeded generator of lines of JSON: reports of all classes with known and unknown keys and values of every type.
struct RandomLines {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    private mutating func space() -> String { pick(["", "", "", "", "", "", " ", "\t", "\r\n "]) }

    private mutating func number() -> String {
        let whole = pick(["0", "7", "45", "310", "-0", "-12", "1700000000", "9007199254740993"])
        return whole + pick(["", "", ".0", ".5", ".073612345", ".00000000000000001"])
            + pick(["", "", "", "e2", "E-3", "e+0"])
    }

    private mutating func string() -> String {
        "\""
            + pick([
                "", "/dev/ttyACM0", "2026-11-20T08:56:59.000Z", "é🚀", "a\\\"b", "\\u00e9\\ud83d\\ude80", "N", "true",
            ]) + "\""
    }

    private mutating func value(_ depth: Int = 0) -> String {
        switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &generator) {
        case 0, 1: return number()
        case 2: return string()
        case 3: return pick(["true", "false"])
        case 4: return "null"
        case 5:
            let values = (0..<Int.random(in: 0...3, using: &generator)).map { _ in space() + value(depth + 1) + space()
            }
            return values.isEmpty ? "[" + space() + "]" : "[" + values.joined(separator: ",") + "]"
        default:
            let members = (0..<Int.random(in: 0...3, using: &generator)).map {
                "\(space())\"k\($0)\"\(space()):\(space())\(value(depth + 1))"
            }
            return "{" + members.joined(separator: ",") + space() + "}"
        }
    }

    private mutating func object(_ keys: [String], class name: String?) -> String {
        var members = keys.map { key in "\"\(key)\"\(space()):\(space())\(value())" }
        if let name { members.insert("\"class\":\"\(name)\"", at: pick([0, 0, 0, members.count / 2, members.count])) }
        return "{" + members.map { space() + $0 + space() }.joined(separator: ",") + "}"
    }

    /// Returns a TPV with some of its keys, each once.
    mutating func tpv() -> String {
        let keys = [
            "mode", "lat", "altMSL", "ecefpAcc", "device", "datum", "time", "leapseconds", "new",
            "a newer key than any",
        ]
        return object(keys.filter { _ in Bool.random(using: &generator) }, class: "TPV")
    }

    /// Returns a report of any class, sometimes without a class or with a flaw.
    mutating func next() -> String {
        let name = pick([
            "TPV", "SKY", "GST", "DEVICES", "DEVICE", "POLL", "WATCH", "PPS", "VERSION", "ERROR", "AIS", nil,
        ])
        let keys = [
            "mode", "satellites", "devices", "tpv", "sky", "time", "path", "activated", "raw", "delta", "release",
            "message",
        ]
        let line = object(keys.filter { _ in Bool.random(using: &generator) }, class: name)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return line.replacing(",", with: pick([",,", "", ";"]), maxReplacements: 1)
        case 1: return line + pick(["}", "x", " \n"])
        default: return line
        }
    }
}
