import LocationCore
import LocationTesting
import XCTest

final class PositionCounterTests: XCTestCase {
    @MainActor func testPositionsAreCounted() async throws {
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

    @MainActor func testAnUnusedSourceStaysUnused() {
        let source = UnusedLocationSource { XCTFail($0) }
        _ = source.locations()
        XCTAssertEqual(PositionCounter().count, 0)
    }

    func testTheSourceIsAProperProvider() async throws {
        let conformance = LocationProviderConformance("the script") {
            let source = ScriptedLocationSource()
            return ConformanceSubject(
                source, emit: { source.forceLocation(1, 2) }, end: { source.end() },
                runningSessions: { source.runningSessions })
        }
        for check in conformance.checks(leavingOut: [.failureIsThrown]) { try await check.run() }
    }
}
