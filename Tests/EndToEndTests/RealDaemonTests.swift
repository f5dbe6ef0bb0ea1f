import GPSDSimulation
import Glibc
import LocationCore
import GPSDProtocol
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

/// Debian's gpsd with a simulated receiver, under faults.
@Suite(.serialized, .alone, .onlyInMakeTest) struct RealDaemonTests {
    /// A receiver with five epochs a second.
    private let receiver: SimulatedReceiver

    init() throws {
        var scenario = ReceiverScenario.walk
        scenario.rate = 5
        receiver = try SimulatedReceiver(scenario)
    }

    private func recorder(_ daemon: LoopbackGPSD, device: String? = nil) -> LocationRecorder {
        LocationRecorder(GPSDLocationSource(.loopback(daemon.port, device: device), .hasty))
    }

    @Test func `the reported position is close to the receiver's true position`() async throws {
        let daemon = try LoopbackGPSD(devices: [receiver.path])
        let recorder = recorder(daemon)
        // A gpsd that opens the device in the middle of an epoch may report that epoch without its time.
        let recording = try await recorder.wait(for: "five positions with a time", within: .seconds(90)) {
            $0.locations.count { $0.timestamp != nil } >= 5
        }
        for location in recording.locations {
            guard let time = location.timestamp else { continue }
            let epoch = receiver.encoder.epoch(Int((time.since(receiver.encoder.start) / .milliseconds(200)).rounded()))
            // The simulated receiver has errors of metres, as real ones do.
            #expect(location.coordinate.distance(to: epoch.place) < 15)
            #expect(location.device == receiver.path)
        }
        #expect(recording.authorizations == [.authorized])
        withExtendedLifetime(daemon) {}
    }

    @Test func `a device unknown to gpsd is reported and is a denial`() async throws {
        let daemon = try LoopbackGPSD(devices: [receiver.path])
        let recorder = recorder(daemon, device: "/dev/nope")
        let recording = try await recorder.wait(for: "a failure", within: .seconds(90)) { !$0.failures.isEmpty }
        #expect(recording.failures.first == .deviceUnknown(path: "/dev/nope", known: [receiver.path]))
        #expect(recording.authorizations.first == .denied)
        withExtendedLifetime((receiver, daemon)) {}
    }

    @Test func `a gpsd without devices is reported as such`() async throws {
        let daemon = try LoopbackGPSD()
        let recorder = recorder(daemon)
        try await recorder.wait(for: "the news", within: .seconds(90)) { $0.hasSearched("noDevice") }
        withExtendedLifetime(daemon) {}
    }

    @Test func `a device that gpsd may not open is reported and is a denial`() async throws {
        let receiver = try SimulatedReceiver(.walk, settings: with(.init()) { $0.anyone = false })
        // When started as root, gpsd drops its privileges, so that the owner of the device must not be able to open it
        // either.
        try #require(chmod(receiver.path, 0) == 0)
        // Without -n gpsd opens the device only for a watching client, with the privileges that it has then.
        let daemon = try LoopbackGPSD(devices: [receiver.path], options: ["-b"])
        let recorder = recorder(daemon)
        let recording = try await recorder.wait(for: "the news", within: .seconds(90)) {
            $0.hasSearched("deviceUnopenable")
        }
        #expect(recording.authorizations.contains(.denied))
        #expect(recording.locations.isEmpty)
        withExtendedLifetime((receiver, daemon)) {}
    }

    @Test func `a device that sends bytes but no packets babbles`() async throws {
        let terminal = try PseudoTerminal(speed: 9600, anyone: geteuid() == 0)
        let master = terminal.master
        let babble = Task {
            // gpsd 3.22 notices what begins like a packet, such as a sentence with a wrong checksum, but random bytes only
            // occasionally, and with -b never: such a device is then silent.
            let sentence = Array("$GPXXX,1,2,3*00\r\n".utf8)
            while !Task.isCancelled {
                _ = sentence.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        let daemon = try LoopbackGPSD(devices: [terminal.path], options: ["-n"])
        let recorder = recorder(daemon)
        let recording = try await recorder.wait(for: "the news", within: .seconds(90)) {
            $0.hasSearched("deviceBabbling")
        }
        #expect(recording.locations.isEmpty)
        babble.cancel()
        await babble.value
        withExtendedLifetime(daemon) {}
    }

    /// gpsd 3.22 keeps the time of its next attempt to open a hung-up device as a 32-bit float, whose resolution is 128
    /// seconds by now.
    ///
    /// Half of the time the attempt is up to 64 seconds late, and gpsd then waits for a request.
    @Test func `an unplugged receiver is lost, and gpsd 3_22 finds it up to 70 s after it is back`() async throws {
        let daemon = try LoopbackGPSD(devices: [receiver.path])
        let recorder = recorder(daemon)
        try await recorder.wait(for: "a position", within: .seconds(90)) { $0.isFound }
        receiver.unplug()
        let recording = try await recorder.wait(for: "the loss", within: .seconds(90)) { $0.hasSearched("deviceLost") }
        #expect(!recording.isFound)
        receiver.plugIn()
        let before = recording.locations.compactMap(\.timestamp).max()
        try await recorder.wait(for: "a newer position", within: .seconds(180)) { $0.isFound(after: before) }
        withExtendedLifetime(daemon) {}
    }

    @Test func `a gpsd that is killed and restarted three times is found again each time`() async throws {
        let daemon = try LoopbackGPSD(devices: [receiver.path])
        let recorder = recorder(daemon)
        var recording = try await recorder.wait(for: "a position", within: .seconds(90)) { $0.isFound(after: nil) }
        let before = RunningProcess.own.descriptors.count
        for round in 1...3 {
            daemon.kill()
            recording = try await recorder.wait(for: "loss \(round)", within: .seconds(90)) { !$0.isFound }
            let lost = recording.locations.compactMap(\.timestamp).max()
            try daemon.start()
            recording = try await recorder.wait(for: "position \(round)", within: .seconds(180)) {
                $0.isFound(after: lost)
            }
        }
        #expect(recording.states.count { if case .error(.connectionLost) = $0 { true } else { false } } == 3)
        try await eventually(
            "the initial number of descriptors", within: .seconds(60), { RunningProcess.own.descriptors.count },
            is: { $0 <= before })
    }
}
