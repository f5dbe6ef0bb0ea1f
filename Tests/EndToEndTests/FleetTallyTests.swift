import GPSDSimulation
import LocationCore
import LocwatchPlatform
import Testing

@testable import locwatch_dev

/// The count of a simulated fleet.
@Suite struct FleetTallyTests {
    private static func payload(_ sequence: Int, due: Int64 = 0) -> [UInt8] {
        FleetStamp(sequence: sequence, due: due).added(to: Array(#"{"_type":"location"}"#.utf8))
    }

    @Test func `messages are counted by device and sequence number`() {
        var tally = FleetTally(devices: 2)
        for (device, sequence) in [(0, 0), (0, 2), (0, 1), (0, 2), (1, 0)] {
            tally.count(FleetDevice.topic(of: device), Self.payload(sequence, due: 1_000_000), at: 3_500_000)
        }
        #expect(tally.received == 4)
        #expect(tally.duplicated == 1)
        #expect(tally.outOfOrder == 1)
        #expect(tally.latencies(at: [0, 0.5, 1]) == [2.5, 2.5, 2.5])
        var sent = SequenceSet()
        let isNew = [0, 1, 2, 3, 64, 200, 200].map { sent.insert($0) }
        #expect(isNew == [true, true, true, true, true, true, false])
        #expect(tally.missing(0, of: sent) == [3, 64, 200])
        #expect(tally.missing(1, of: sent) == [1, 2, 3, 64, 200])
    }

    @Test(arguments: [
        "", "}", "{}", #"{"seq":1}"#, #"{"a":1,"seq":,"due":5}"#, #"{"a":1,"seq":1,"due":}"#,
        #"{"a":1,"seq":-1,"due":5}"#,
        #"{"a":1,"seq":99999999999999999999,"due":5}"#, #"{"a":1,"seq":1,"due":5} "#,
        #"{"a":1,"seq":4294967296,"due":5}"#,
    ])
    func `a message without a valid mark is foreign`(payload: String) {
        var tally = FleetTally(devices: 1)
        tally.count(FleetDevice.topic(of: 0), Array(payload.utf8), at: 0)
        #expect(tally.foreign == 1 && tally.received == 0)
    }

    @Test(arguments: ["owntracks/fleet/d1", "owntracks/fleet/d-1", "owntracks/fleet/d", "owntracks/other/d0", ""])
    func `a topic of no device is foreign`(topic: String) {
        var tally = FleetTally(devices: 1)
        tally.count(topic, Self.payload(0), at: 0)
        #expect(tally.foreign == 1)
    }

    @Test func `each device has a route of its own, the same for the same seed`() throws {
        func message(_ number: Int, seed: UInt64) throws -> [UInt8] {
            var device = FleetDevice(number, .drive, seed: seed)
            let message = device.message(at: .seconds(5), Timestamp(secondsSince1970: 1_767_225_600))
            return try #require(message)
        }
        #expect(try message(0, seed: 1) == message(0, seed: 1))
        #expect(try message(0, seed: 1) != message(1, seed: 1))
        #expect(try message(0, seed: 1) != message(0, seed: 2))
    }

    @Test func `the devices lose the fix at times of their own`() {
        var fixes = Set<Bool>()
        for number in 0..<50 {
            var device = FleetDevice(number, .tunnel, seed: 1)
            fixes.insert(device.message(at: .zero, Timestamp(secondsSince1970: 0)) != nil)
        }
        #expect(fixes == [true, false])
    }

    @Test(arguments: [
        [], ["--devices", "10"], ["--devices", "0", "mqtt://localhost"], ["--rate", "nan", "mqtt://localhost"],
        ["mqtts://localhost"], ["mqtt://"], ["mqtt://localhost:0"], ["mqtt://localhost:65536"],
        ["--qos", "2", "mqtt://h"],
        ["--scenario", "flight", "mqtt://h"], ["mqtt://h", "--seconds"],
    ])
    func `wrong operands are refused`(operands: [String]) {
        #expect(FleetOptions(operands) == nil)
    }

    @Test func `a fleet that needs more descriptors than there are says so`() {
        let failure = #expect(throws: FleetFailure.self) { try DescriptorLimit.require(1 << 40) }
        #expect(failure?.description.hasPrefix("1099511627776 connections need 1099511627808 descriptors") == true)
    }
}
