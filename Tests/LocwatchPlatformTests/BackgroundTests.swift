import Glibc
import LocationTesting
import LocwatchPlatform
import Testing

@Suite struct BackgroundTests {
    /// A thing that takes a while to be released, as a file does whose lock ends with it.
    private final class SlowThing: Sendable {
        private let notes: EventLog<String>

        init(_ notes: EventLog<String>) { self.notes = notes }

        deinit {
            usleep(20_000)
            notes.append("released")
        }

        func work() -> Int {
            notes.append("worked")
            return 7
        }
    }

    @Test func `all that the work holds is released before its value is there`() throws {
        let notes = EventLog<String>()
        let background = try Self.start(SlowThing(notes))
        background.done.wait()
        #expect(background.value == 7)
        #expect(notes.events == ["worked", "released"])
    }

    /// Starts work that is the only one to hold a thing.
    private static func start(_ thing: SlowThing) throws -> Background<Int> {
        try Background { thing.work() }
    }
}
