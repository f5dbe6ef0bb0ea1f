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
