import GPSDSimulation
import LocationCore
import GPSDProtocol
import TestSupport
import Testing

@testable import LocationGPSD

/// A recorded live session replays to the same events.
@Suite(.serialized, .withFew) struct ReplayTests {
    @Test func `a session live through gpsd and its replayed recording have the same events`() async throws {
        var scenario = ReceiverScenario.tunnel
        scenario.rate = 10
        scenario.stages = [
            .init(.fix3D, for: .seconds(2)), .init(.blocked, for: .seconds(2)), .init(.fix2D, for: .seconds(1)),
            .init(.fix3D),
        ]
        scenario.reportsPerEpoch = 2
        let receiver = try SimulatedReceiver(scenario)
        let daemon = try LoopbackGPSD(devices: [receiver.path])
        let (live, recording) = try await record(.loopback(daemon.port), for: .seconds(9))
        withExtendedLifetime((receiver, daemon)) {}

        let replay = ReplayProvider(.bytes(recording), pace: .max)
        var replayed: [LocationUpdate] = []
        var updates = replay.updates(for: .everything).makeAsyncIterator()
        while let update = try await updates.next() { replayed.append(update) }

        // Only a live session connects, and a daemon on a busy machine can take a second for its greeting.
        let comparable = live.drop { update in
            switch update.event {
            case .searching(.connecting, _), .searching(.unanswered, _): true
            default: false
            }
        }
        // A replay ends with the parts of an epoch that the live session still held when it was left.
        #expect(0...2 ~= replayed.count - comparable.count)
        let common = replayed.prefix(comparable.count)
        #expect(comparable.map(\.event.withoutArrival) == common.map(\.event.withoutArrival))
        for (one, other) in zip(comparable, replayed) {
            // A recording has microsecond resolution.
            let difference = one.moment.elapsed - other.moment.elapsed
            #expect(difference >= .zero && difference < .microseconds(1))
        }
        let found = live.count { $0.location != nil }
        let lost = live.count { if case .searching(.noFix, _) = $0.event { true } else { false } }
        #expect(found > 10 && lost > 5, "there were \(found) and \(lost) events to compare")
    }

    /// Returns the updates of a daemon for a duration, and their recording.
    private func record(
        _ endpoint: GPSDEndpoint, for length: Duration
    ) async throws -> (updates: [LocationUpdate], recording: [UInt8]) {
        var (updates, writer, recording) = ([LocationUpdate](), RecordingWriter(), [UInt8]())
        for try await update in GPSDLocationSource(endpoint).updates(for: LocationRequest(includesLines: true)) {
            guard update.moment.elapsed < length else { break }
            if recording.isEmpty { recording = writer.header(source: "gpsd", version: "0", at: update.moment) }
            if case .line(let line) = update.event {
                recording += writer.record(line, at: update.moment)
            } else {
                updates.append(update)
            }
        }
        return (updates, recording)
    }
}

extension LocationEvent {
    /// The event without the time of arrival, which a recording rounds to microseconds.
    fileprivate var withoutArrival: LocationEvent {
        guard case .location(var location) = self else { return self }
        location.received = nil
        return .location(location)
    }
}
