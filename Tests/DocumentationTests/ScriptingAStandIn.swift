import GPSDSimulation
import LocationGPSD
import LocationTesting
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct ScriptingAStandIn {
    @Test func `an hour with a lost fix takes seconds`() async throws {
        var settings = StandInGPSD.Settings()
        settings.clock = .manual
        settings.script = try StandInScript(
            """
            at 10s lose
            at 20s restore
            at 30m jump 3km
            at 40m fault restart=5s
            """)
        let daemon = try StandInGPSD(StandInRecording(.walk), settings: settings)
        defer { daemon.stop() }

        let recorder = LocationRecorder(GPSDLocationSource(GPSDEndpoint(port: "\(daemon.port)")))
        try await daemon.perform("wait clients 1")
        try await daemon.perform("step 15s")
        try await recorder.wait(for: "the position before the loss") { $0.locations.count >= 10 }
        try await daemon.perform("step 1h")
        #expect(daemon.progress.step == "line 4: at 40m fault restart=5s")
        recorder.stop()
    }
}
