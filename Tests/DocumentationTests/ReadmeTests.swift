import LocationCore
import LocationTesting
import Testing

func whereAmI(_ provider: some LocationProvider) async -> String {
    do throws(LocationError) {
        let here = try await provider.current(accuracy: 20, within: .seconds(30))
        return "\(here.coordinate.latitude), \(here.coordinate.longitude)"
    } catch {
        return error.description
    }
}

@Test func `indoors there is a reason instead of a position`() async {
    let indoors = ScriptedLocationSource([.searching(.noFix(seen: 7, used: 2, best: 31)), .end])
    #expect(await whereAmI(indoors).hasSuffix("no fix, 7 satellites seen, 2 used, best signal 31 dB-Hz"))
}

@Suite struct ReadmeTests {
    private static let turin = Location(
        coordinate: Coordinate(latitude: 45.07, longitude: 7.68),
        timestamp: .testEpoch, horizontalAccuracy: 5)

    @Test func `a single request returns the position`() async {
        // On a real clock a position that waits for a busy machine grows too old.
        let source = ScriptedLocationSource([.location(Self.turin), .hang], clock: ManualClock())
        #expect(await whereAmI(source) == "45.07, 7.68")
    }

    @Test func `a single request without a result returns the cause`() async {
        let refused = LocationError.unreachable(host: "localhost", port: 2947, cause: "refused")
        #expect(
            await whereAmI(ScriptedLocationSource([.endThrowing(refused)])) == "no gpsd at localhost:2947: refused")
    }
}
