import GPSDSimulation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// A consumer that stops reading does not block the session, and its dropped positions are counted.
@Suite(.serialized, .alone) struct SlowConsumerTests {
    /// Many times more positions than the queue holds, to show that memory stays flat.
    private static let count = 6_000

    @Test func `a slow consumer receives an exact count of the dropped positions, and memory stays flat`() async throws
    {
        let standIn = try StandInGPSD(positions: Self.count)
        var iterator = standIn.source(ConnectionTimeouts()).updates(for: .everything).makeAsyncIterator()
        while let update = try await iterator.next(), update.event != .authorization(.authorized) {}
        standIn.send(lines: 1_000)
        // Positions that are still unread would not be dropped: all is read once every thread sleeps.
        try await eventually("sleep") {
            OtherThreads.fallAsleep()
        } is: {
            $0
        }
        let before = ProcessFigures.now.memory
        standIn.sendRest()
        try await eventually("sleep") {
            OtherThreads.fallAsleep()
        } is: {
            $0
        }
        #expect(ProcessFigures.now.memory < before + 2 << 20)

        var (received, dropped) = (0, 0)
        var last = Duration.zero
        while let update = try await iterator.next() {
            #expect(update.moment.elapsed >= last)
            last = update.moment.elapsed
            switch update.event {
            case .location: received += 1
            case .notice(let notice):
                guard case .dropped(let locations, let skyViews, _) = notice.content else { break }
                dropped += locations
                #expect(skyViews == 0)
            default: break
            }
            if case .location(let location) = update.event, location.timestamp == SessionSample.time(Self.count - 1) {
                break
            }
        }
        #expect(received + dropped == Self.count)
        #expect(dropped > Self.count / 2)
        #expect(standIn.progress.cutOff == 0)
    }
}
