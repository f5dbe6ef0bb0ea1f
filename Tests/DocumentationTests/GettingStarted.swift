import LocationCore
import LocationGPSD
import LocationRecordings
import LocationTesting
import Testing

func printPositions(of provider: some LocationProvider) async throws(LocationError) {
    for try await location in provider.locations() {
        print(location.coordinate.latitude, location.coordinate.longitude, location.horizontalAccuracy ?? .nan)
    }
}

func provider(for source: String) throws -> any LocationProvider {
    if source.hasPrefix("/dev/") { return SerialReceiverSource(device: source) }
    if source.hasSuffix(".json") { return ReplayProvider(.path(source)) }
    return GPSDLocationSource(try GPSDEndpoint(parsing: source))
}

func usefulPositions(of provider: some LocationProvider) -> some LocationProvider {
    provider.filtered(by: LocationRequest(accuracy: 20)).atMostEvery(.seconds(5))
}

func printStates(of provider: some LocationProvider) async throws(LocationError) {
    for try await change in provider.states() {
        switch change.to {
        case .found(let location): print("at", location.coordinate)
        case .searching(let reason): print("searching:", reason)
        case .error(let error): print("error:", error)
        }
    }
}

@Suite struct GettingStartedTests {
    private let source = ScriptedLocationSource(
        [.searching(.noDevice), .location(52.5163, 13.3777), .location(52.5163, 13.3777, accuracy: 30), .end],
        clock: ManualClock())

    @Test func `the loops end with the session`() async throws {
        try await printPositions(of: source)
        try await printStates(of: source)
    }

    @Test func `only useful positions remain`() async throws {
        var accuracies: [Double?] = []
        for try await location in usefulPositions(of: source).locations() {
            accuracies.append(location.horizontalAccuracy)
        }
        #expect(accuracies == [5])
    }

    @Test func `the source chooses the provider`() throws {
        #expect(try provider(for: "/dev/ttyACM0") is SerialReceiverSource)
        #expect(try provider(for: "drive.json") is ReplayProvider)
        #expect(try (provider(for: "pi.local") as? GPSDLocationSource)?.endpoint.host == "pi.local")
        #expect(throws: InvalidValue.self) { try provider(for: "") }
    }
}
