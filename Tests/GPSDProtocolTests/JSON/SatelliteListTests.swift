import LocationCore
import LocwatchSupport
import Testing

@testable import GPSDProtocol

/// Tests of the reading of satellites, which goes by the keys of the last one and by the usual forms of numbers.
@Suite struct SatelliteListTests {
    /// Returns the satellites of a list, as read by a decoder that has read a satellite with all keys, and by a new one.
    private func bothWays(_ list: String) throws -> [[Satellite]?] {
        var practised = ReportDecoder()
        _ = try practised.decode(Self.line([Self.whole]))
        var new = ReportDecoder()
        let line = #"{"class":"SKY","satellites":\#(list),"nSat":7}"#
        return try [practised.decode(line), new.decode(line)].map { report in
            guard case .sky(let sky) = report else { throw UnexpectedClass(line: line) }
            #expect(sky.nSat == 7)
            return sky.satellites
        }
    }

    private static let whole =
        #"{"PRN":5,"gnssid":0,"svid":5,"sigid":0,"freqid":8,"az":120.0,"el":45.5,"pr":1.5,"prRate":2.5,"#
        + #""prRes":-0.5,"qual":7,"ss":40.0,"used":true,"health":1}"#

    private static func line(_ satellites: [String]) -> String {
        #"{"class":"SKY","satellites":[\#(satellites.joined(separator: ","))]}"#
    }

    @Test func `all values of a satellite are read`() throws {
        var satellite = Satellite(
            constellation: .gps, number: 5, prn: 5, elevation: 45.5, azimuth: 120, signal: 40, isUsed: true)
        (satellite.signalBand, satellite.frequencySlot, satellite.quality) = (0, 8, 7)
        (satellite.residual, satellite.health) = (-0.5, .ok)
        #expect(try bothWays("[\(Self.whole),\(Self.whole)]") == [[satellite, satellite], [satellite, satellite]])
    }

    @Test(arguments: [
        (
            "keys in another order from the second satellite on",
            #"{"PRN":1,"el":2.5},{"el":2.5,"PRN":1},{"PRN":1,"el":2.5}"#
        ),
        (
            "fewer keys in between",
            #"{"PRN":1,"el":2.5,"used":false},{"PRN":1,"el":2.5},{"used":false,"PRN":1,"el":2.5}"#
        ),
        (
            "the last of equal keys",
            #"{"PRN":9,"el":1.5,"PRN":1,"el":2.5},{"PRN":1,"el":99,"el":2.5},{"el":2.5,"PRN":1,"PRN":1}"#
        ),
        (
            "unknown keys",
            #"{"PRN":1,"new":1.5,"el":2.5},{"x":{"el":[1,{"}":2}]},"PRN":1,"el":2.5},{"PRN":1,"el":2.5,"":"}"}"#
        ),
        ("numbers in any form", #"{"PRN":1.0,"el":2.50},{"PRN":1e0,"el":25E-1},{"PRN":1,"el":2.5000000000000000000}"#),
        ("spaces", "{ \"PRN\" :1, \"el\": 2.5 }\t,\r\n{\"PRN\":1 ,\"el\":2.5},{\"PRN\" :\n1,\"el\":2.5\t}"),
        ("escaped keys", #"{"P\u0052N":1,"el":2.5},{"PRN":1,"\u0065l":2.5},{"PRN":1,"el":2.5,"used\u0000":true}"#),
        (
            "values of another type",
            #"{"PRN":1,"el":2.5,"az":"7.5"},{"PRN":1,"el":2.5,"used":"true"},{"PRN":1,"el":2.5,"ss":{}}"#
        ),
        (
            "missing values",
            #"{"PRN":1,"el":2.5,"az":null},{"PRN":1,"el":2.5,"used":null},{"PRN":1,"el":2.5,"svid":2.5}"#
        ),
        ("a signal of zero", #"{"PRN":1,"el":2.5,"ss":0.0},{"PRN":1,"el":2.5,"ss":-0},{"PRN":1,"el":2.5,"ss":0e5}"#),
        (
            "values out of range",
            #"{"PRN":1,"el":2.5,"az":360.1},{"PRN":1,"el":2.5,"ss":100.1},{"PRN":1,"el":2.5,"svid":10001}"#
        ),
        (
            "unknown systems",
            #"{"PRN":1,"el":2.5,"gnssid":8},{"PRN":1,"el":2.5,"gnssid":256},{"PRN":1,"el":2.5,"health":3}"#
        ),
    ])
    func `satellites may be written with`(_ name: String, _ list: String) throws {
        let satellite = Satellite(prn: 1, elevation: 2.5)
        for found in try bothWays("[\(list)]") {
            #expect(found == Array(repeating: satellite, count: 3), "\(name)")
        }
    }

    @Test func `an empty list, and empty satellites, are what they are`() throws {
        for (text, count) in [("[]", 0), ("[ ]", 0), ("[{}]", 1), ("[{ },{}]", 2)] {
            #expect(try bothWays(text) == Array(repeating: Array(repeating: Satellite(), count: count), count: 2))
        }
    }

    @Test func `a list with anything else counts as missing, with the faults of its satellites`() throws {
        for text in [#"[{"PRN":1},5]"#, #"[{"PRN":1,"el":91},null]"#, #"{"PRN":1}"#, "null", #""[]""#] {
            #expect(try bothWays(text) == [nil, nil])
            #expect(try sky(#"{"class":"SKY","satellites":\#(text)}"#).satelliteFaults.isEmpty)
        }
    }

    @Test(arguments: [(300, 300), (512, 512), (600, 512)])
    func `many satellites are read up to a limit`(_ count: Int, _ kept: Int) throws {
        let list = (1...count).map { #"{"PRN":\#($0),"el":1.5}"# }.joined(separator: ",")
        for found in try bothWays("[\(list)]") {
            #expect(found == (1...kept).map { Satellite(prn: $0, elevation: 1.5) })
        }
    }

    @Test func `a value out of range is a fault unless the key comes again, and is not one beyond the limit`() throws {
        func faults(_ satellites: String) throws -> [String] {
            try sky(#"{"class":"SKY","satellites":[\#(Self.whole),\#(satellites)]}"#).satelliteFaults.names.sorted()
        }
        #expect(try faults(#"{"PRN":1,"el":91.0},{"az":361,"ss":-1.0}"#) == ["az", "el"])
        #expect(try faults(#"{"el":91.0,"el":5.0}"#).isEmpty)
        #expect(try faults(#"{"el":91.0,"el":null,"ss":1e999}"#).isEmpty)
        #expect(try faults(#"{"el":5.0,"el":91.0}"#) == ["el"])
        let many = Array(repeating: "{}", count: 511).joined(separator: ",")
        #expect(try faults(many + #",{"el":91.0}"#).isEmpty)
    }

    @Test func `numbers are those of the general reading, to the last bit`() throws {
        let numbers = [
            "0.0", "-0.0", "0.1", "9.9", "10.0", "59.9", "89.9", "90.0", "0.3", "1.15", "7.025", "33.333333333333333",
            "12345678901234567890", "1e1", "4.35", "8", "80", "0", "1.7999999999999998", "0.00000000000000000001",
        ]
        for number in numbers {
            let expected = try #require(Double(number))
            for found in try bothWays(#"[{"el":\#(number),"az":\#(number),"prRes":\#(number)}]"#) {
                let satellite = try #require(found?.first)
                #expect(satellite.elevation?.bitPattern == (expected > 90 ? nil : expected.bitPattern), "\(number)")
                #expect(satellite.azimuth?.bitPattern == (expected > 360 ? nil : expected.bitPattern), "\(number)")
                #expect(satellite.residual?.bitPattern == (expected > 1e9 ? nil : expected.bitPattern), "\(number)")
            }
        }
        for tenths in 0...3600 {
            let text = #"[{"az":\#(tenths / 10).\#(tenths % 10)}]"#
            #expect(try bothWays(text).map { $0?.first?.azimuth } == [Double(tenths) / 10, Double(tenths) / 10])
        }
    }

    @Test(arguments: [
        "05.0", "00", "1.", "1.x", ".5", "-", "-.5", "+1", "1e", "1.5.5", "1x", "1.5x", "tru", "truex", "falsy", "nul",
        "",
        "\"", "\"\\x\"", "[", "{", "}", "]", "12 5", "5:5",
    ])
    func `a malformed value is an error at the byte where it is one in any other object`(_ value: String) throws {
        for key in ["el", "PRN", "used", "prRes"] {
            let other = #"{"class":"TPV","lat":\#(value),"#
            let before = #"{"class":"SKY","satellites":[\#(Self.whole),{"\#(key)":"#
            var decoder = ReportDecoder()
            let expected = try #require(throws: ReportError.self) { try decoder.decode(other + #""mode":3}"#) }
            let error = try #require(throws: ReportError.self) {
                try decoder.decode(before + value + #","svid":3}]}"#)
            }
            let place = expected.offset - (other.utf8.count - value.utf8.count - 1)
            #expect(error == ReportError(expected.kind, offset: before.utf8.count + place), "\(key)")
        }
    }

    @Test func `a list that is cut off at any byte is an error`() throws {
        let line = Array(Self.line([Self.whole, #"{"PRN":7,"el":5.0,"x":[1],"used":false}"#, Self.whole]).utf8)
        for practised in [false, true] {
            var decoder = ReportDecoder()
            if practised { _ = try decoder.decode(line) }
            line.withUnsafeBytes { bytes in
                for count in 0..<bytes.count {
                    // In memory, the line goes on with the bytes that would make it well-formed.
                    #expect(throws: ReportError.self) {
                        try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                    }
                }
            }
            guard case .sky(let sky) = try decoder.decode(line) else { throw UnexpectedClass(line: "") }
            #expect(sky.satellites?.count == 3)
        }
    }

    @Test func `random lists are read as they were written, whatever came before`() throws {
        var writer = RandomSatellites(seed: 23)
        var decoder = ReportDecoder()
        for _ in 0..<DecoderPropertyTests.count {
            let (line, expected) = writer.next()
            var new = ReportDecoder()
            let reports = try [decoder.decode(line), new.decode(line)]
            #expect(reports[0] == reports[1], "\(line)")
            guard case .sky(let sky) = reports[0] else { throw UnexpectedClass(line: line) }
            #expect(sky.satellites == expected, "\(line)")
        }
    }
}

/// A seeded generator of lists of satellites, with the satellites that they contain.
private struct RandomSatellites {
    private var generator: SplitMix64
    private var order = ["PRN", "el", "az", "ss", "used", "gnssid", "svid", "health", "new"]

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    mutating func next() -> (line: String, satellites: [Satellite]) {
        if below(4) == 0 { order.shuffle(using: &generator) }
        let satellites = (0..<below(12)).map { _ in satellite() }
        let list = satellites.map(\.text).joined(separator: below(3) == 0 ? " , " : ",")
        return (#"{"class":"SKY","satellites":[\#(list)]}"#, satellites.map(\.satellite))
    }

    private mutating func satellite() -> (text: String, satellite: Satellite) {
        var satellite = Satellite()
        var keys = order.filter { _ in below(6) > 0 }
        if below(8) == 0 { keys.shuffle(using: &generator) }
        if below(8) == 0, let key = keys.randomElement(using: &generator) { keys.append(key) }
        let members = keys.map { key in
            let value = below(12) == 0 ? "null" : self.value(of: key, &satellite)
            if value == "null" { _ = self.value(of: key, &satellite, isKnown: false) }
            return below(12) == 0 ? " \"\(key)\" : \(value) " : "\"\(key)\":\(value)"
        }
        return ("{\(members.joined(separator: ","))}", satellite)
    }

    /// Sets a random value of a key, or removes it, and returns its text.
    private mutating func value(of key: String, _ satellite: inout Satellite, isKnown: Bool = true) -> String {
        let whole = below(90)
        let text = "\(whole)" + ["", ".0", ".5", ".25", ".125000", "e0"][below(6)]
        let number = isKnown ? Double(text) : nil
        let count = isKnown ? whole : nil
        switch key {
        case "PRN": satellite.prn = count
        case "svid": satellite.number = count
        case "gnssid": satellite.constellation = count.flatMap(Constellation.init)
        case "health": satellite.health = count.flatMap(Satellite.Health.init)
        case "el": satellite.elevation = number
        case "az": satellite.azimuth = number
        case "ss": satellite.signal = number == 0 ? nil : number
        case "used": satellite.isUsed = isKnown && whole % 2 == 0
        default: return ["[1,{\"PRN\":2}]", "\"}\"", "1.5"][below(3)]
        }
        switch key {
        case "el", "az", "ss": return text
        case "used": return whole % 2 == 0 ? "true" : "false"
        default: return "\(whole)"
        }
    }
}
