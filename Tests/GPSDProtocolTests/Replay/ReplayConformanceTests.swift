import Foundation
import LocationCore
import LocationTesting
import LocwatchSupport
import TestSupport
import Testing

@testable import GPSDProtocol

@Suite(.serialized, .alone) struct ReplayConformanceTests {
    /// A read from a pipe does not fail, so failures are tested with files, in `ReplayProviderTests`.
    @Test(arguments: conformance.checks(leavingOut: [.failureIsThrown, .measuresLimits]))
    func `is a proper provider`(check: LocationProviderConformance.Check) async throws { try await check.run() }

    private static let conformance = LocationProviderConformance("the replay of pipes") {
        let replays = PipedReplays()
        return ConformanceSubject(
            replays, emit: { replays.emit() }, end: { replays.end() }, runningSessions: { replays.running })
    }
}

/// A provider of replays that each play a separate pipe, so that several can receive reports and end.
private final class PipedReplays: LocationProvider {
    private struct Replay {
        weak var session: DrivenSession?
        var read: Int32
        var write: Int32
    }

    private let replays = Lock<(all: [Replay], second: Int)>(([], 0))

    deinit {
        end()
        replays.withLock { $0.all.forEach { close($0.read) } }
    }

    var running: Int { replays.withLock { $0.all.count { $0.session != nil } } }

    func updates(for request: LocationRequest) -> LocationUpdates {
        let start: @Sendable () -> any LocationSession = { [self] in
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            let clock = SessionClock.system()
            let source = RecordingSource.descriptor(ends[0])
            let session = DrivenSession(on: clock, .waits) {
                ReplaySource(source, pace: .max, includesLines: false, clock: $0)
            } orThrow: {
                .daemonUnavailable(cause: "\($0)")
            }
            replays.withLock { $0.all.append(Replay(session: session, read: ends[0], write: ends[1])) }
            return session
        }
        return LocationUpdates(for: request, starting: start)
    }

    func emit() {
        replays.withLock { content in
            content.second += 1
            let line = Array((tpv(content.second) + "\n").utf8)
            for replay in content.all where replay.write >= 0 { _ = write(replay.write, line, line.count) }
        }
    }

    func end() {
        replays.withLock { content in
            for index in content.all.indices where content.all[index].write >= 0 {
                close(content.all[index].write)
                content.all[index].write = -1
            }
        }
    }
}
