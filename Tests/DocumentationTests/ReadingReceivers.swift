import GPSDSimulation
import LocationCore
import LocationGPSD
import LocationTesting
import Testing

func remoteReceiver() throws(InvalidValue) -> GPSDLocationSource {
    GPSDLocationSource(try GPSDEndpoint(parsing: "pi.local:2947:/dev/ttyACM0"))
}

func chartPlotter() -> StreamReceiverSource {
    StreamReceiverSource(StreamAddress(.tcp, host: "plotter.local", port: 10110))
}

func attachedReceiver() -> SerialReceiverSource {
    SerialReceiverSource(device: "/dev/ttyUSB0", speed: 9600)
}

func rover(password: String) -> SerialReceiverSource {
    let caster = StreamAddress(.ntrip, host: "caster.example", user: "anna", mountpoint: "MOUNT")
    return SerialReceiverSource(
        device: "/dev/ttyACM0", corrections: CorrectionsSource(caster, password: password))
}

func positionOrFailure(_ endpoint: GPSDEndpoint) async throws(LocationError) -> Location {
    try await GPSDLocationSource(endpoint, reconnects: false).current(within: .seconds(10))
}

func positions(of device: String, from provider: some LocationProvider) -> some AsyncSequence<Location, LocationError> {
    provider.locations(for: LocationRequest(device: device))
}

@Suite struct ReadingReceiversTests {
    @Test func `sources are made without a connection`() throws {
        #expect(try remoteReceiver().endpoint == GPSDEndpoint(host: "pi.local", device: "/dev/ttyACM0"))
        _ = attachedReceiver()
        _ = chartPlotter()
        _ = rover(password: "secret")
    }

    @Test func `the first failure ends a session that does not reconnect`() async throws {
        var settings = StandInGPSD.Settings()
        settings.faults = [.ssh]
        let line = #"{"class":"TPV","mode":1}"#
        let standIn = try StandInGPSD(StandInRecording(Array(line.utf8) + [10]), settings: settings)
        defer { standIn.stop() }
        let error = await #expect(throws: LocationError.self) {
            try await positionOrFailure(GPSDEndpoint(port: "\(standIn.port)"))
        }
        #expect(error?.code == "notGPSD")
    }

    @Test func `positions of another receiver are left out`() async throws {
        var (first, second) = (
            Location(coordinate: Coordinate(latitude: 1, longitude: 1)),
            Location(coordinate: Coordinate(latitude: 2, longitude: 2))
        )
        (first.device, second.device) = ("/dev/a", "/dev/b")
        let source = ScriptedLocationSource([.location(first), .location(second), .end], clock: ManualClock())
        var devices: [String?] = []
        for try await location in positions(of: "/dev/b", from: source) { devices.append(location.device) }
        #expect(devices == ["/dev/b"])
    }
}
