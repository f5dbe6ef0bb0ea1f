import LocationCore
import LocationGPSD

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
