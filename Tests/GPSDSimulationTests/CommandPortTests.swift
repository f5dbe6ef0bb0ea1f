import LocationCore
import Testing

@testable import GPSDSimulation

@Suite struct CommandPortTests {
    private func answers(_ bytes: [[UInt8]], _ commands: ScenarioCommands) -> (answer: [UInt8], interval: Duration?) {
        var port = CommandPort(commands, rate: 1)
        for piece in bytes { piece.withUnsafeBufferPointer { port.read($0) } }
        return (port.takeAnswer(), port.takeInterval())
    }

    private static let poll: [UInt8] = [0xB5, 0x62, 0x06, 0x08, 0, 0, 0x0E, 0x30]
    /// The message that gpsd 3.22 writes for `"cycle":0.2`.
    private static let set: [UInt8] = [0xB5, 0x62, 6, 8, 6, 0, 0xC8, 0, 1, 0, 0, 0, 0xDD, 0x68]
    private static let accepted = UBXMessage.bytes(0x0501, [0x06, 0x08])

    private func rate(_ milliseconds: UInt8, _ more: UInt8 = 0) -> [UInt8] {
        UBXMessage.bytes(0x0608, [milliseconds, more, 1, 0, 1, 0])
    }

    @Test func `a u-blox takes a rate, says that it has it, and acknowledges both messages`() {
        let (answer, interval) = answers([Self.set, Self.poll], ScenarioCommands(.uBlox))
        #expect(interval == .milliseconds(200))
        #expect(answer == Self.accepted + rate(200) + Self.accepted)
    }

    @Test func `commands are taken in any pieces, and with other bytes between them`() {
        let bytes = Array("$PGRMCE*0E\r\n".utf8) + [0, 0xB5, 0xFF] + Self.set + [0xB5]
        let pieces = bytes.map { [$0] }
        #expect(answers(pieces, ScenarioCommands(.uBlox)).interval == .milliseconds(200))
    }

    @Test func `a receiver that only pretends, refuses or falls silent keeps its rate`() {
        for (manner, answer) in [
            (.pretends, Self.accepted + rate(200) + Self.accepted),
            (.refuses, Self.accepted + rate(0xE8, 3) + Self.accepted), (.fallsSilent, []),
        ] as [(ScenarioCommands.Manner, [UInt8])] {
            let result = answers([Self.set, Self.poll], ScenarioCommands(.uBlox, manner))
            #expect(result.interval == nil && result.answer == answer, "\(manner)")
        }
    }

    @Test func `a u-blox tells its version and its port, and a MediaTek does not understand it`() {
        let version: [UInt8] = [0xB5, 0x62, 0x0A, 0x04, 0, 0, 0x0E, 0x34]
        let answer = answers([version], ScenarioCommands(.uBlox)).answer
        #expect(answer.count == 78 && answer.starts(with: [0xB5, 0x62, 0x0A, 0x04]))
        #expect(answers([version], ScenarioCommands(.mediaTek)).answer.isEmpty)
    }

    @Test func `a MediaTek tells its version, and takes a rate of up to 10 Hz`() {
        func said(_ text: String) -> (String, Duration?) {
            let (answer, interval) = answers([Array("\(text)\r\n".utf8)], ScenarioCommands(.mediaTek))
            return (String(decoding: answer, as: UTF8.self), interval)
        }
        #expect(said("$PMTK605*31").0.hasPrefix("$PMTK705,AXN"))
        let (answer, interval) = said("$PMTK300,200,0,0,0,0*2F")
        #expect(answer == "$PMTK001,300,3*33\r\n" && interval == .milliseconds(200))
        #expect(said("$PMTK300,50,0,0,0,0*18").1 == nil)
    }

    @Test func `bytes without an end are dropped`() {
        var port = CommandPort(ScenarioCommands(.uBlox), rate: 1)
        let endless = [UInt8](repeating: UInt8(ascii: "$"), count: 100_000)
        endless.withUnsafeBufferPointer { port.read($0) }
        Self.set.withUnsafeBufferPointer { port.read($0) }
        [UInt8(ascii: "\n")].withUnsafeBufferPointer { port.read($0) }
        Self.set.withUnsafeBufferPointer { port.read($0) }
        #expect(port.takeInterval() == .milliseconds(200))
    }

    @Test func `the epochs after a change are at multiples of the new interval`() {
        var encoder = ScenarioEncoder(.standstill, start: Timestamp(nanosecondsSince1970: 1_790_000_000_000_000_000))
        var offsets = (0..<3).compactMap { _ in encoder.next()?.epoch.offset }
        encoder.change(interval: .milliseconds(250))
        offsets += (0..<3).compactMap { _ in encoder.next()?.epoch.offset }
        encoder.change(interval: .seconds(2))
        offsets += (0..<2).compactMap { _ in encoder.next()?.epoch.offset }
        #expect(offsets == [0, 1000, 2000, 2250, 2500, 2750, 4000, 6000].map { .milliseconds($0) })
    }

    @Test func `thirds of a second stay exact`() {
        var scenario = ReceiverScenario.standstill
        scenario.rate = 3
        let encoder = ScenarioEncoder(scenario, start: Timestamp(nanosecondsSince1970: 0))
        #expect(encoder.offset(of: 3000) == .seconds(1000))
    }
}
