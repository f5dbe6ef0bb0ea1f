import GPSDSimulation
import LocationCore
import LocationGPSD
import LocationTesting
import Testing

@Test func `a connection that is lost is made again`() async throws {
    let lines = [
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-05-01T12:00:00.000Z","lat":1.0,"lon":2.0}"#,
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-05-01T12:00:01.000Z","lat":1.1,"lon":2.0}"#,
    ]
    var settings = StandInGPSD.Settings()
    settings.advance = .byHand
    let daemon = try StandInGPSD(
        StandInRecording(Array(lines.joined(separator: "\n").utf8) + [10]), settings: settings)
    defer { daemon.stop() }

    let recorder = LocationRecorder(GPSDLocationSource(GPSDEndpoint(port: "\(daemon.port)")))
    #expect(await daemon.wait { $0.watchers == 1 })
    daemon.send()
    try await recorder.wait(for: "the first position") { $0.locations.count == 1 }

    daemon.hangUp()
    try await recorder.wait(for: "the failure") { !$0.failures.isEmpty }
    #expect(await daemon.wait { $0.connections == 2 })
    recorder.stop()
}

func simulatedTunnel() throws(SimulationError) -> SimulatedReceiver {
    var settings = SimulatedReceiver.Settings()
    settings.seed = 7
    settings.speedup = 10
    return try SimulatedReceiver(.tunnel, settings: settings)
}

func positionOfARealGPSD() async throws -> Location {
    let daemon = try LoopbackGPSD(.standstill)
    defer { daemon.stop() }
    let source = GPSDLocationSource(GPSDEndpoint(port: "\(daemon.port)"))
    return try await source.current(within: .seconds(30))
}
