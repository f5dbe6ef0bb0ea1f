import LocationCore
import LocationTesting
import TestSupport
import Testing

/// Tests of which satellites belong to a position.
@Suite struct SkyMemoryTests {
    private var memory = SkyMemory()

    private static func position(_ quality: FixQuality = .ordinary) -> Location {
        with(Location(coordinate: Coordinate(latitude: 45, longitude: 7))) { $0.quality = quality }
    }

    private static let list = SkyView(
        satellites: (1...5).map { Satellite(constellation: .gps, number: $0, isUsed: $0 < 4) },
        dilution: with(DilutionOfPrecision()) { $0.horizontal = 1.5 })

    /// Returns a report without a list.
    private static func figures(seen: Int? = nil, used: Int? = nil, vertical: Double? = nil) -> SkyView {
        with(SkyView(satellites: nil, seen: seen, used: used)) { $0.dilution.vertical = vertical }
    }

    @discardableResult
    private mutating func note(_ sky: SkyView, at seconds: Double) -> SkyView? {
        memory.note(sky, at: moment(seconds))
    }

    private func sky(at seconds: Double, _ quality: FixQuality = .ordinary) -> SkyView? {
        memory.sky(of: Self.position(quality), at: moment(seconds))
    }

    @Test mutating func `a position has the satellites of the ten seconds before it, and afterwards none`() {
        #expect(sky(at: 0) == nil, "no satellites were reported yet")
        note(Self.list, at: 1)
        #expect(sky(at: 1) == Self.list && sky(at: 11) == Self.list)
        #expect(sky(at: 11.001) == nil)
        note(Self.figures(seen: 7, used: 6), at: 30)
        #expect(sky(at: 30) == Self.figures(seen: 7, used: 6), "the old list does not return")
    }

    @Test mutating func `a report without a list, counts or dilutions leaves the last ones valid for ten seconds`() {
        note(Self.list, at: 0)
        let whole = note(Self.figures(vertical: 2), at: 9)
        #expect(whole?.satellites == Self.list.satellites && whole?.seen == 5 && whole?.used == 3)
        #expect(whole?.dilution.vertical == 2 && whole?.dilution.horizontal == nil, "dilutions come together")
        #expect(sky(at: 10) == whole)
        let later = note(Self.figures(used: 4, vertical: 2), at: 11)
        #expect(later == Self.figures(used: 4, vertical: 2), "the list is too old, although reports went on")
        var listed = Self.list
        listed.dilution = DilutionOfPrecision()
        #expect(note(listed, at: 20)?.dilution.vertical == 2)
        #expect(note(listed, at: 21.5)?.dilution == DilutionOfPrecision(), "the dilutions are too old")
    }

    @Test mutating func `a list of which none is used is that of a search, and does not say what a fix uses`() {
        note(with(Self.list) { $0.used = 0 }, at: 0)
        #expect(sky(at: 1)?.used == nil && sky(at: 1)?.seen == 5)
        #expect(sky(at: 1, .deadReckoning)?.used == 0, "dead reckoning uses no satellites")
        note(Self.list, at: 2)
        #expect(sky(at: 3)?.used == 3)
    }

    @Test func `what a provider puts into its mailbox has its satellites, each receiver its own`() async throws {
        let clock = ManualClock()
        let mailbox = LocationMailbox(clock: clock.sessionClock())
        func put(_ device: String) {
            let location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), device: device)
            mailbox.put(.location(location))
        }
        mailbox.put(.satellites(with(Self.list) { $0.device = "/dev/a" }))
        put("/dev/a")
        put("/dev/b")
        clock.advance(by: .seconds(11))
        put("/dev/a")
        mailbox.finish()
        var seen: [Int?] = []
        while case .update(let update) = try await mailbox.next(until: nil) {
            if update.location != nil { seen.append(update.sky?.seen) }
        }
        #expect(seen == [5, nil, nil])
    }
}
