import Foundation
import GPSDSimulation
import Glibc
import LocationCore
@testable import GPSDProtocol
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

/// Sessions and daemons of which something must not happen, or only while time passes.
@Suite(.serialized, .alone, .onlyInMakeTest) struct RealTimeTests {
    @Test(arguments: [false, true])
    func `an idle session uses no processor time, even in the middle of a line`(isTorn: Bool) async throws {
        let standIn = try StandInGPSD(faults: isTorn ? [.stall(.within(line: 2, byte: 40))] : [])
        // A request, which would follow after three seconds, is work.
        let timeouts = with(ConnectionTimeouts()) { ($0.silence, $0.longestSilence) = (.seconds(600), .seconds(600)) }
        let recorder = LocationRecorder(standIn.source(timeouts))
        try await standIn.untilWatched()
        standIn.send(lines: 2)
        try await recorder.wait(for: "the positions sent") { $0.locations.count == (isTorn ? 1 : 2) }
        let before = HostClock.nanoseconds(.processor)
        try await RealTime.pass(.seconds(2), because: "it is the time in which nothing must be computed")
        let used = HostClock.nanoseconds(.processor) - before
        #expect(used < 20_000_000, "a loop that spins would have used two seconds")
        #expect(recorder.recording.failures.isEmpty)
    }

    @Test func `a session that follows another waits until the daemon of the earlier one has ended`() async throws {
        let line = try ReceiverTerminal()
        let earlier = try PrivateGPSD(device: line.path)
        // The process that alone reads from the daemon is named, and not the daemon: this one.
        let name = try String(contentsOfFile: "/proc/self/comm", encoding: .utf8).split(separator: "\n")[0]
        let fault = LocationError.DeviceFault.busy(holder: "\(name) (process \(getpid()))")
        #expect(throws: LocationError.deviceUnusable(path: line.path, cause: fault)) {
            try PrivateGPSD(device: line.path)
        }
        let later = try StartingGPSD(.line(line.path), PrivateGPSD.Settings())
        try await RealTime.pass(.milliseconds(200), because: "a start that waits for the line does nothing else")
        earlier.end()
        later.done.wait()
        #expect(later.isRunning)
    }

    @Test func `a later client does not find a position that gpsd has cached`() async throws {
        let receiver = try SimulatedReceiver(.walk, settings: with(.init()) { $0.duration = .seconds(4) })
        let daemon = try LoopbackGPSD(devices: [receiver.path])
        let source = GPSDLocationSource(.loopback(daemon.port), .hasty)
        let recorder = LocationRecorder(source)
        try await recorder.wait(for: "a position", within: .seconds(90)) { $0.isFound }
        try await recorder.wait(for: "silence", within: .seconds(90)) { !$0.isFound }
        let later = LocationRecorder(source)
        // By then the client has polled the daemon, which has answered with the cached position.
        let recording = try await later.wait(for: "the news", within: .seconds(90)) { $0.hasSearched("deviceSilent") }
        try await RealTime.pass(.seconds(2), because: "a position that is not reported has no event")
        #expect(recording.locations.isEmpty && later.recording.locations.isEmpty)
        withExtendedLifetime((receiver, daemon)) {}
    }

    @Test func `a log of which each message makes a long line loses none, though the reader pauses`() async throws {
        let message = "!AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0*4A\r\n"
        let scratch = try Scratch()
        let path = try scratch.write(Array(String(repeating: message, count: 20_000).utf8), to: "log.ais")
        let updates = PlayedLog.provider(.path(path)).updates(for: LocationRequest(includesLines: true))
        var iterator = updates.makeAsyncIterator()
        var count = 0
        while let update = try await iterator.next() {
            guard case .line = update.event else { continue }
            count += 1
            if count.isMultiple(of: 4000) {
                try await RealTime.pass(.milliseconds(200), because: "a reader pauses, while gpsd goes on")
            }
        }
        #expect(count == 20_000)
    }
}
