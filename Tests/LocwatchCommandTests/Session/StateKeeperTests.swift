import LocationCore
import LocationTracks
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSupport
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .alone) struct StateKeeperTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Returns the seconds of a session at which the file got another content, for a machine with a position each second.
    ///
    /// - Parameter speeds: The speed in metres per second at each position.
    private func writes(_ speeds: [Double]) throws -> [Int] {
        var settings = Settings()
        settings.reactions.state = scratch.path("o")
        let context = try CommandContext(environment: [:], machine: PretendedMachine())
        let start = ContinuousClock.now
        var now = start
        let keeper = try #require(try StateKeeper(settings, context.narrator) { now })
        var (tracker, meter) = (Tracker(), DistanceMeter(startingAt: keeper.beginning ?? 0))
        var place = Coordinate(latitude: 45, longitude: 7)
        var (writes, content) = ([Int](), try scratch.text("o"))
        for (second, speed) in speeds.enumerated() {
            now = start + .seconds(second)
            place = place.destination(distance: speed, bearing: 0)
            var location = Location(coordinate: place, timestamp: Timestamp(secondsSince1970: Double(second)))
            (location.horizontalAccuracy, location.speed, location.device) = (3, speed, "/dev/gps0")
            let moment = Moment(
                elapsed: .seconds(second), wall: Timestamp(secondsSince1970: 1_800_000_000 + Double(second)))
            tracker.apply(LocationUpdate(.location(location), at: moment))
            while let update = tracker.next() {
                meter.process(update)
                tracker.note(distance: meter.distance)
                _ = keeper.process(update, tracker.view)
            }
            var wait = SessionWait(at: moment)
            keeper.prepare(&wait)
            if keeper.kept.isWriting {
                wait.wait()
                _ = keeper.serve(wait.descriptors)
            }
            let text = try scratch.text("o")
            if exchange(&content, with: text) != text { writes.append(second) }
        }
        return writes
    }

    @Test func `on the way the file of the distance is written every 15 seconds, and not with each position`() throws {
        let writes = try writes(Array(repeating: 20, count: 100))
        #expect((6...8).contains(writes.count), "\(writes)")
        #expect(zip(writes, writes.dropFirst()).allSatisfy { $1 - $0 >= 15 }, "\(writes)")
    }

    @Test func `when the machine stops the file of the distance is written soon, and once`() throws {
        let writes = try writes(Array(repeating: 20, count: 40) + Array(repeating: 0, count: 60))
        let late = writes.filter { $0 >= 40 }
        #expect(late.count == 1 && (40...45).contains(late.first ?? 0), "\(writes)")
    }
}
