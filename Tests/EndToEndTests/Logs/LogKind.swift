import GPSDSimulation
import LocationCore
import TestSupport
import Testing

/// A kind of a receiver's log, with the bytes of a sample.
struct LogKind: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

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
            .init(name: "NMEA of a simulated receiver", bytes: walk),
            .init(name: "NMEA with several reports in an epoch", bytes: simulated(.burst, seconds: 12)),
            .init(name: "NMEA ten times a second", bytes: simulated(fast, seconds: 4)),
            .init(name: "NMEA with a tunnel", bytes: simulated(.tunnel, seconds: 50)),
            .init(name: "NMEA with line noise", bytes: simulated(.noise, seconds: 30)),
            .init(name: "NMEA without a third dimension", bytes: simulated(.flat, seconds: 12)),
            .init(name: "NMEA of a wrong week", bytes: simulated(.rollover, seconds: 12)),
            .init(name: "NMEA with line feeds only", bytes: Array(lines.joined(separator: "\n").utf8) + [10]),
            .init(
                name: "NMEA with time stamps before the sentences",
                bytes: lines.enumerated().flatMap { Array("2026-03-01 08:00:\($0 % 60) \($1)\r\n".utf8) }),
            .init(name: "NMEA after comments", bytes: Array("# Name: a walk\n# Date: 2026\n".utf8) + walk),
            .init(name: "NMEA from the middle of a sentence", bytes: Array(walk.dropFirst(33))),
            .init(name: "NMEA that ends in the middle of a sentence", bytes: Array(walk.dropLast(11))),
            .init(
                name: "NMEA with AIS",
                bytes: lines.flatMap { Array("\($0)\r\n!AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0*4A\r\n".utf8) }),
        ]
    }()

    private static let talkers: [LogKind] = [
        .init(name: "RMC and GGA of GP", bytes: sentences { [.rmc($0, from: .gps), .gga($0, from: .gps)] }),
        .init(name: "GGA and RMC of GP", bytes: sentences { [.gga($0, from: .gps), .rmc($0, from: .gps)] }),
        .init(name: "RMC alone", bytes: sentences { [.rmc($0, from: .gps)] }),
        .init(name: "GGA alone", bytes: sentences { [.gga($0, from: .gps)] }),
        .init(name: "GLL, VTG and ZDA", bytes: sentences { [.gll($0), .vtg($0), .zda($0)] }),
        .init(name: "RMC and GLL of GL", bytes: sentences { [.rmc($0, from: .glonass), .gll($0, from: .glonass)] }),
        .init(name: "RMC and GGA of GA", bytes: sentences { [.rmc($0, from: .galileo), .gga($0, from: .galileo)] }),
        .init(name: "RMC and GGA of GB", bytes: sentences { [.rmc($0, from: .beidou), .gga($0, from: .beidou)] }),
        .init(
            name: "several talkers",
            bytes: sentences { [.gga($0, from: .gps), .gst($0, from: .combined), .rmc($0, from: .combined)] }),
        .init(
            name: "ZDA, GGA, VTG and GST", bytes: sentences { [.zda($0), .gga($0), .vtg($0), .gst($0)] }),
    ]

    private static let ubx: [LogKind] = {
        let plain = ubx { UBXFrame.position($0) }
        let mixed = ubx { UBXFrame.position($0) + UBXFrame.satellites($0) }
        var damaged = mixed
        for index in stride(from: 150, to: damaged.count, by: 397) { damaged[index] ^= 0x10 }
        return [
            .init(name: "UBX NAV-PVT", bytes: plain),
            .init(name: "UBX NAV-PVT and NAV-SAT", bytes: mixed),
            .init(name: "UBX NAV-SAT and NAV-PVT", bytes: ubx { UBXFrame.satellites($0) + UBXFrame.position($0) }),
            .init(
                name: "UBX NAV-PVT, NAV-SAT and NAV-EOE",
                bytes: ubx { UBXFrame.position($0) + UBXFrame.satellites($0) + UBXFrame.end($0) }),
            .init(name: "UBX with damaged messages", bytes: damaged),
            .init(name: "UBX from the middle of a message", bytes: Array(mixed.dropFirst(41))),
            .init(name: "UBX that ends in the middle of a message", bytes: Array(mixed.dropLast(60))),
            .init(name: "UBX without a fix at first", bytes: ubx { UBXFrame.position($0, fix: $0 < 5 ? 0 : 3) }),
            .init(name: "UBX in two dimensions", bytes: ubx { UBXFrame.position($0, fix: 2) }),
            .init(name: "UBX after text", bytes: Array("u-blox log, firmware 3.01\r\n".utf8) + mixed),
            .init(name: "UBX, then NMEA", bytes: mixed + simulated(.walk, seconds: 6)),
            .init(
                name: "UBX between NMEA",
                bytes: (0..<12).flatMap { UBXFrame.position($0) + Array("$GNTXT,01,01,02,ANTSTATUS=OK*2B\r\n".utf8) }),
        ]
    }()
}
