import GPSDSimulation
import Glibc
import LocationGPSD
import LocwatchPlatform

/// Records what gpsd says about simulated receivers, for the tests to read.
@main struct FixtureProgram {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch words.first {
            case "--hold" where words.count == 1: try hold()
            case "--hold-private" where words.count == 2: try holdPrivateGPSD(for: words[1])
            case let folder? where !folder.hasPrefix("-"): try record(into: folder, only: Set(words.dropFirst()))
            default: fail("usage: locwatch-fixtures FOLDER [NAME …]", code: 64)
            }
        } catch {
            fail("locwatch-fixtures: \(error)", code: 1)
        }
    }

    private static func record(into folder: String, only names: Set<String>) throws {
        let devices = try TemporaryFolder("locwatch-fixtures")
        defer { devices.remove() }
        for fixture in Fixture.all where names.isEmpty || names.contains(fixture.name) {
            let recording = try Recording(of: fixture, in: devices.path)
            try FixtureFolder.write(recording, of: fixture, into: folder)
            print(
                "\(fixture.name): \(recording.lines.count) lines, \(recording.lines.reduce(0) { $0 + $1.count }) bytes")
        }
    }

    /// Starts a gpsd and waits to be killed: a test looks whether the daemon dies too.
    private static func hold() throws {
        let receiver = try SimulatedReceiver(.walk)
        let daemon = try LoopbackDaemon(devices: [receiver.path])
        let text = "\(daemon.processID ?? 0) \(receiver.path)\n"
        write(STDOUT_FILENO, text, text.utf8.count)
        withExtendedLifetime((receiver, daemon)) { _ = pause() }
    }

    /// The same with a private daemon, for a device that the test has.
    private static func holdPrivateGPSD(for device: String) throws {
        let daemon = try PrivateGPSD(device: device)
        let text = "\(daemon.processID ?? 0)\n"
        write(STDOUT_FILENO, text, text.utf8.count)
        withExtendedLifetime(daemon) { _ = pause() }
    }

    private static func fail(_ text: String, code: Int32) -> Never {
        write(STDERR_FILENO, text + "\n", text.utf8.count + 1)
        exit(code)
    }
}
