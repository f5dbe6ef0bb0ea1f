import GPSDSimulation
import LocationCore
import TestSupport
import Testing

/// A kind of a receiver's log, with the bytes of a sample.
struct LogKind: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

    private init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    var testDescription: String { name }

    static let start = Timestamp(nanosecondsSince1970: 1_772_352_000_000_000_000)

    /// Returns the bytes of a simulated receiver.
    static func simulated(_ scenario: ReceiverScenario, seconds: Int) -> [UInt8] {
        ScenarioEncoder(scenario, start: start, duration: .seconds(seconds)).flatMap(\.bytes)
    }

    /// Returns twelve epochs of sentences.
    private static func sentences(_ make: (NMEAPosition) -> [NMEASentence]) -> [UInt8] {
        ScenarioEncoder(.walk, start: start, duration: .seconds(12)).flatMap {
            make($0.epoch.reported).flatMap(\.bytes)
        }
    }

    private static func ubx(_ make: (Int) -> [UInt8]) -> [UInt8] { (0..<12).flatMap(make) }

    static let all: [LogKind] = nmea + talkers + ubx

    private static let nmea: [LogKind] = {
        var fast = ReceiverScenario.walk
        fast.rate = 10
        let walk = simulated(.walk, seconds: 12)
        let text = String(decoding: walk, as: UTF8.self)
        let lines = text.split(separator: "\r\n")
        return [
            .init("NMEA of a simulated receiver", walk),
            .init("NMEA with several reports in an epoch", simulated(.burst, seconds: 12)),
            .init("NMEA ten times a second", simulated(fast, seconds: 4)),
            .init("NMEA with a tunnel", simulated(.tunnel, seconds: 50)),
            .init("NMEA with line noise", simulated(.noise, seconds: 30)),
            .init("NMEA without a third dimension", simulated(.flat, seconds: 12)),
            .init("NMEA of a wrong week", simulated(.rollover, seconds: 12)),
            .init("NMEA with line feeds only", Array(lines.joined(separator: "\n").utf8) + [10]),
            .init(
                "NMEA with time stamps before the sentences",
                lines.enumerated().flatMap { Array("2026-03-01 08:00:\($0 % 60) \($1)\r\n".utf8) }),
            .init("NMEA after comments", Array("# Name: a walk\n# Date: 2026\n".utf8) + walk),
            .init("NMEA from the middle of a sentence", Array(walk.dropFirst(33))),
            .init("NMEA that ends in the middle of a sentence", Array(walk.dropLast(11))),
            .init(
                "NMEA with AIS",
                lines.flatMap { Array("\($0)\r\n!AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0*4A\r\n".utf8) }),
        ]
    }()

    private static let talkers: [LogKind] = [
        .init("RMC and GGA of GP", sentences { [.rmc($0, from: .gps), .gga($0, from: .gps)] }),
        .init("GGA and RMC of GP", sentences { [.gga($0, from: .gps), .rmc($0, from: .gps)] }),
        .init("RMC alone", sentences { [.rmc($0, from: .gps)] }),
        .init("GGA alone", sentences { [.gga($0, from: .gps)] }),
        .init("GLL, VTG and ZDA", sentences { [.gll($0), .vtg($0), .zda($0)] }),
        .init("RMC and GLL of GL", sentences { [.rmc($0, from: .glonass), .gll($0, from: .glonass)] }),
        .init("RMC and GGA of GA", sentences { [.rmc($0, from: .galileo), .gga($0, from: .galileo)] }),
        .init("RMC and GGA of GB", sentences { [.rmc($0, from: .beidou), .gga($0, from: .beidou)] }),
        .init(
            "several talkers",
            sentences { [.gga($0, from: .gps), .gst($0, from: .combined), .rmc($0, from: .combined)] }),
        .init("ZDA, GGA, VTG and GST", sentences { [.zda($0), .gga($0), .vtg($0), .gst($0)] }),
    ]

    private static let ubx: [LogKind] = {
        let plain = ubx { UBXFrame.position($0) }
        let mixed = ubx { UBXFrame.position($0) + UBXFrame.satellites($0) }
        var damaged = mixed
        for index in stride(from: 150, to: damaged.count, by: 397) { damaged[index] ^= 0x10 }
        return [
            .init("UBX NAV-PVT", plain),
            .init("UBX NAV-PVT and NAV-SAT", mixed),
            .init("UBX NAV-SAT and NAV-PVT", ubx { UBXFrame.satellites($0) + UBXFrame.position($0) }),
            .init(
                "UBX NAV-PVT, NAV-SAT and NAV-EOE",
                ubx { UBXFrame.position($0) + UBXFrame.satellites($0) + UBXFrame.end($0) }),
            .init("UBX with damaged messages", damaged),
            .init("UBX from the middle of a message", Array(mixed.dropFirst(41))),
            .init("UBX that ends in the middle of a message", Array(mixed.dropLast(60))),
            .init("UBX without a fix at first", ubx { UBXFrame.position($0, fix: $0 < 5 ? 0 : 3) }),
            .init("UBX in two dimensions", ubx { UBXFrame.position($0, fix: 2) }),
            .init("UBX after text", Array("u-blox log, firmware 3.01\r\n".utf8) + mixed),
            .init("UBX, then NMEA", mixed + simulated(.walk, seconds: 6)),
            .init(
                "UBX between NMEA",
                (0..<12).flatMap { UBXFrame.position($0) + Array("$GNTXT,01,01,02,ANTSTATUS=OK*2B\r\n".utf8) }),
        ]
    }()
}
