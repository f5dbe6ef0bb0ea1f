import LocationCore
import LocationTesting
import Testing

@MainActor final class PositionCounter {
    private(set) var count = 0

    func follow(_ provider: some LocationProvider) async {
        do throws(LocationError) {
            for try await _ in provider.locations() { count += 1 }
        } catch {
            count = -1
        }
    }
}

@MainActor @Test func `positions are counted`() async throws {
    let source = ScriptedLocationSource([.location(1, 1), .location(2, 2)], clock: ManualClock())
    let counter = PositionCounter()
    let following = Task { await counter.follow(source) }
    try await eventually("two positions") {
        counter.count
    } is: {
        $0 == 2
    }
    following.cancel()
}

@MainActor @Test(arguments: LocationError.samples)
func `every error ends the count`(error: LocationError) async {
    let counter = PositionCounter()
    await counter.follow(ScriptedLocationSource([.endThrowing(error)], clock: ManualClock()))
    #expect(counter.count == -1)
}
