import GPSDSimulation
import Glibc
import LocwatchPlatform

/// A session recorded from gpsd, with the arrival time of each line.
struct FixtureRecording {
    private(set) var lines: [[UInt8]] = []
    /// The arrival times, measured from the connection of the client.
    private(set) var times: [Duration] = []
    /// The command line of gpsd, with the paths of the recording.
    private(set) var command: [String] = []

    /// Plays the receivers of a fixture to a private gpsd and records the lines that a client receives.
    init(of fixture: Fixture, in folder: String) throws {
        let receivers = try fixture.receivers.indices.map { index in
            var settings = SimulatedReceiver.Settings()
            settings.seed = fixture.encoder(index).seed
            settings.start = Fixture.start
            settings.duration = fixture.duration
            settings.speedup = fixture.speedup
            settings.keepsAll = true
            // Time for gpsd to open the device and for the client to watch, so that no report is missed.
            settings.silence = .seconds(4)
            settings.path = folder + "/" + Fixture.deviceNames[index]
            return try SimulatedReceiver(fixture.receivers[index], settings: settings)
        }
        let daemon = try LoopbackGPSD(reading: receivers)
        // Swift may release objects after their last use, which would end the receivers and the daemon.
        defer { withExtendedLifetime(daemon) {} }
        command = ["gpsd"] + daemon.arguments
        let client = try DaemonClient(port: daemon.port)
        let start = ContinuousClock.now
        try client.send(Fixture.watch + "\n")
        for step in fixture.steps {
            switch step {
            case .epochs(let count):
                var seen: Set<[UInt8]> = []
                while seen.count < count, let line = process(client, since: start, within: .seconds(15)) {
                    if let time = Self.timeOfPosition(in: line) { seen.insert(time) }
                }
            case .rest:
                while receivers.contains(where: { !$0.progress.isFinished }) {
                    _ = process(client, since: start, within: .milliseconds(200))
                }
                while process(client, since: start, within: .milliseconds(1500)) != nil {}
            case .listen(let limit):
                let deadline = ContinuousClock.now + limit
                while ContinuousClock.now < deadline {
                    _ = process(client, since: start, within: deadline - .now)
                }
            case .send(let command): try client.send(command + "\n")
            case .unplug: receivers.forEach { $0.unplug() }
            case .plugIn: receivers.forEach { $0.plugIn() }
            }
        }
    }

    private mutating func process(
        _ client: DaemonClient, since start: ContinuousClock.Instant, within limit: Duration
    ) -> [UInt8]? {
        guard let line = client.line(within: limit) else { return nil }
        lines.append(line)
        times.append(ContinuousClock.now - start)
        return line
    }

    /// Returns the bytes of a position report's time; uses no decoder, so this program is independent of the code that
    /// its output tests.
    private static func timeOfPosition(in line: [UInt8]) -> [UInt8]? {
        guard line.starts(with: Array("{\"class\":\"TPV\"".utf8)) else { return nil }
        let key = Array("\"time\":\"".utf8)
        guard let found = line.indices.first(where: { line[$0...].starts(with: key) }) else { return nil }
        return Array(line[(found + key.count)...].prefix { $0 != UInt8(ascii: "\"") })
    }
}
