import GPSDSimulation
import Glibc
import LocationCore
import LocationTesting
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

@testable import LocationGPSD

@Suite(.serialized, .withFew, .onlyInMakeTest) struct SerialReceiverSourceTests {
    private let receiver: SimulatedReceiver

    init() throws { receiver = try SimulatedReceiver(.walk, settings: with(.init()) { $0.speedup = 4 }) }

    private func source(_ path: String) -> SerialReceiverSource {
        var options = SessionOptions()
        options.timeouts.silence = .milliseconds(500)
        options.timeouts.absence = .milliseconds(300)
        return SerialReceiverSource(device: path, speed: nil, options: options)
    }

    /// Returns the gpsd processes with this device on their command line.
    private func daemons(_ path: String) -> [Int32] {
        RunningProcess.all.filter { $0.words.first?.hasSuffix("gpsd") == true && $0.words.contains(path) }
            .map(\.id)
    }

    @Test func `sessions share one gpsd, which ends with the last session`() async throws {
        let source = source(receiver.path)
        let recorders = [LocationRecorder(source), LocationRecorder(source)]
        for recorder in recorders {
            try await recorder.wait(for: "a position", within: .seconds(90)) { !$0.locations.isEmpty }
        }
        #expect(daemons(receiver.path).count == 1)
        #expect(source.runningSessions == 2)
        recorders[0].stop()
        try await eventually("one running session", within: .seconds(60), { source.runningSessions }, is: { $0 == 1 })
        let count = recorders[1].recording.locations.count
        try await recorders[1].wait(for: "more positions", within: .seconds(90)) { $0.locations.count > count + 2 }
        recorders[1].stop()
        try await eventually("no running session", within: .seconds(60), { source.runningSessions }, is: { $0 == 0 })
        try await eventually("no gpsd", within: .seconds(60), { daemons(receiver.path).count }, is: { $0 == 0 })
    }

    @Test(arguments: [false, true])
    func `an unplugged receiver is reported, and is read again when plugged in and free`(isHeld: Bool) async throws {
        let recorder = LocationRecorder(source(receiver.path))
        try await recorder.wait(for: "a position", within: .seconds(90)) { !$0.locations.isEmpty }
        receiver.unplug()
        let lost = LocationEvent.searching(.deviceLost(path: receiver.path), device: receiver.path)
        let before = try await recorder.wait(for: "the loss", within: .seconds(90)) {
            $0.updates.contains { $0.event == lost }
        }
        if isHeld {
            let held = try PseudoTerminal(anyone: true)
            let holder = open(held.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(holder) }
            try #require(ioctl(holder, UInt(TIOCEXCL)) == 0 && symlink(held.path, receiver.path) == 0)
            try await recorder.wait(for: "a failure that is retried", within: .seconds(90)) {
                $0.updates.contains { if case .failure(.deviceUnusable, .some) = $0.event { true } else { false } }
            }
            #expect(unlink(receiver.path) == 0)
            withExtendedLifetime(held) {}
        }
        receiver.plugIn()
        try await recorder.wait(for: "a new position", within: .seconds(90)) {
            $0.locations.count > before.locations.count + 1
        }
        recorder.stop()
        try await eventually("no gpsd", within: .seconds(60), { daemons(receiver.path).count }, is: { $0 == 0 })
    }

    /// The sessions of a gpsd that is started in another way.
    private struct Shared: LocationProvider {
        let daemon: GPSDOwner

        func updates(for request: LocationRequest) -> LocationUpdates {
            var options = SessionOptions()
            options.timeouts.retries.first = .milliseconds(50)
            return daemon.updates(for: request, options: options)
        }
    }

    @Test func `a restart without a free descriptor is tried again`() async throws {
        let shortage = LocationError.daemonUnavailable(cause: "cannot make an event: Too many open files")
        let starts = Lock<[StartingGPSD]>([])
        let attempts = Lock(0)
        let path = receiver.path
        let daemon = GPSDOwner { () throws(LocationError) in
            AttachedReceiver(path: path) {}
        } launch: { (opening) throws(LocationError) in
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            guard attempt == 1 || attempt > 3 else { throw shortage }
            let start = try StartingGPSD(opening, PrivateGPSD.Settings())
            starts.withLock { $0.append(start) }
            return start
        }
        let recorder = LocationRecorder(Shared(daemon: daemon))
        try await recorder.wait(for: "a position", within: .seconds(90)) { !$0.locations.isEmpty }
        kill(try #require(try starts.withLock { $0 }.first?.outcome()?.processID), SIGKILL)
        let failed = try await recorder.wait(for: "two failures that are retried", within: .seconds(90)) {
            $0.updates.count { if case .failure(shortage, .some) = $0.event { true } else { false } } == 2
        }
        try await recorder.wait(for: "new positions", within: .seconds(90)) {
            $0.locations.count > failed.locations.count + 1
        }
        #expect(attempts.withLock { $0 } == 4)
        recorder.stop()
        try await eventually("no session", within: .seconds(60), { daemon.userCount }, is: { $0 == 0 })
    }

    @Test func `a gpsd that takes no socket is used with a notice that other users can read the position`() async throws
    {
        let folder = try Scratch()
        var settings = PrivateGPSD.Settings()
        settings.program = try folder.writeScript("unset LISTEN_FDS LISTEN_PID; exec /usr/sbin/gpsd \"$@\"", to: "gpsd")
        settings.confinedParts = []
        let path = receiver.path
        let daemon = GPSDOwner(settings: settings) { () throws(LocationError) in AttachedReceiver(path: path) {} }
        let recorder = LocationRecorder(Shared(daemon: daemon))
        let recording = try await recorder.wait(for: "a position", within: .seconds(90)) { !$0.locations.isEmpty }
        let messages = recording.notices.map { "\(Notice($0).message)" }
        #expect(messages.count { $0.contains("every user of the machine can read the position at port ") } == 1)
        recorder.stop()
        try await recorder.untilEnded(within: .seconds(60))
    }

    @Test func `a serial receiver source conforms`() async throws {
        var scenario = ReceiverScenario.walk
        scenario.rate = 10
        let receiver = try SimulatedReceiver(scenario)
        defer { receiver.stop() }
        let path = receiver.path
        let conformance = LocationProviderConformance("a serial receiver", patience: .seconds(90)) {
            var options = SessionOptions()
            options.reconnects = false
            let source = SerialReceiverSource(device: path, speed: nil, options: options)
            // The receiver reports ten times a second by itself, so `tell` has nothing to do.
            return ConformanceSubject(source, emit: {}, runningSessions: { source.runningSessions })
        }
        // It has the system's clock.
        let rules: Set<LocationProviderConformance.Rule> = [.nothingAfterEnd, .failureIsThrown, .measuresLimits]
        for check in conformance.checks(leavingOut: rules) { try await check.run() }
    }
}
