import LocationCore
import GPSDSimulation
import Glibc
import Platform

/// Records what gpsd says about simulated receivers, for the tests to read.
@main struct FixtureProgram {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        switch words.first {
        case "play" where words.count >= 2:
            try play(words[1], speedup: words.count > 2 ? Double(words[2]) ?? 1 : 1)
        default:
            print("usage: locwatch-fixtures FOLDER")
            exit(64)
        }
    }

    private static func play(_ name: String, speedup: Double) throws {
        guard let scenario = ReceiverScenario.named(name) else { exit(64) }
        var settings = SimulatedReceiver.Settings()
        settings.speedup = speedup
        let receiver = try SimulatedReceiver(scenario, settings: settings)
        let daemon = try RecordedDaemon(devices: [receiver.path])
        let client = try DaemonClient(port: daemon.port)
        try client.send("?WATCH={\"enable\":true,\"json\":true};\n")
        while let line = client.line(within: .seconds(15)) {
            _ = line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        }
        print(receiver.progress)
    }
}
