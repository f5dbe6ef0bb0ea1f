import LocationCore
import Testing

@testable import GPSDSimulation

/// The binary messages of a simulated u-blox; gpsd reads them for the fixture `dual-band`.
@Suite struct EpochMessagesTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000)

    /// The numbers and the payloads of messages with valid checksums.
    private func messages(_ bytes: [UInt8]) throws -> [(id: UInt8, payload: [UInt8])] {
        var found: [(UInt8, [UInt8])] = []
        var rest = bytes[...]
        while let head = rest.first {
            try #require(head == 0xB5 && rest.count >= 8 && rest[rest.startIndex + 2] == 0x01)
            let words = Array(rest.prefix(6))
            let length = Int(words[4]) | Int(words[5]) << 8
            let body = rest.dropFirst(2).prefix(4 + length)
            let sums = body.reduce(into: (UInt8(0), UInt8(0))) {
                $0.0 &+= $1
                $0.1 &+= $0.0
            }
            try #require(Array(rest.dropFirst(6 + length).prefix(2)) == [sums.0, sums.1])
            found.append((words[3], Array(body.dropFirst(4))))
            rest = rest.dropFirst(8 + length)
        }
        return found
    }

    @Test func `an epoch of a u-blox has the position, the satellites, two signals of most of them, and an end`() throws
    {
        var scenario = ReceiverScenario.walk
        scenario.isUBlox = true
        let transmission = ScenarioEncoder(scenario, start: Self.start).transmission(3)
        let found = try messages(transmission.bytes)
        #expect(found.map(\.id) == [0x07, 0x35, 0x43, 0x61])
        let (satellites, signals) = (transmission.epoch.satellites, Int(found[2].payload[5]))
        #expect(found[0].payload.count == 92)
        #expect(Int(found[1].payload[5]) == satellites.count && found[1].payload.count == 8 + 12 * satellites.count)
        #expect(found[2].payload.count == 8 + 16 * signals)
        #expect(signals > satellites.count && signals < 2 * satellites.count)
        // Noon of 2026-11-20 is a Friday, and GPS is 18 seconds ahead of UTC.
        let week = found[0].payload.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(week == (5 * 86_400 + (Int(Self.start.nanosecondsSince1970 / 1_000_000_000) + 3) % 86_400 + 18) * 1000)
        #expect(found.allSatisfy { Array($0.payload.prefix(4)) == Array(found[0].payload.prefix(4)) })
    }
}
