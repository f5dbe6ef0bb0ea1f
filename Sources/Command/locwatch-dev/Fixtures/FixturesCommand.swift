import GPSDSimulation
import Glibc
import GPSDProtocol
import LocwatchPlatform

/// Records the output of gpsd for simulated receivers into a folder, as fixtures for tests.
struct FixturesCommand: DeveloperCommand {
    static let name = "fixtures"
    static let operands = "FOLDER [NAME …]"
    static let summary = "record the fixtures of the installed gpsd's release"

    private let folder: String
    private let names: Set<String>

    init?(_ operands: [String]) {
        guard let folder = operands.first, !folder.hasPrefix("-") else { return nil }
        self.folder = folder
        names = Set(operands.dropFirst())
    }

    func run() throws {
        let devices = try TemporaryFolder("locwatch-fixtures")
        defer { devices.remove() }
        let installed = try release()
        for fixture in Fixture.all where names.isEmpty || names.contains(fixture.name) {
            guard installed == fixture.release else {
                print("\(fixture.name): left as it is: gpsd \(fixture.release) records it, and this is \(installed)")
                continue
            }
            let recording = try FixtureRecording(of: fixture, in: devices.path)
            try FixtureFolder.write(recording, of: fixture, into: folder)
            print(
                "\(fixture.name): \(recording.lines.count) lines, \(recording.lines.reduce(0) { $0 + $1.count }) bytes")
        }
    }

    /// Returns the release of the installed gpsd, as its greeting has it.
    private func release() throws -> String {
        let daemon = try LoopbackGPSD()
        defer { withExtendedLifetime(daemon) {} }
        let greeting = try DaemonClient(port: daemon.port).line(within: .seconds(20)) ?? []
        var decoder = ReportDecoder()
        guard case .version(let report) = try decoder.decode(greeting.filter { $0 >= 0x20 }) else {
            throw SystemFailure("read the greeting of gpsd", code: EPROTO)
        }
        return report.release ?? "of an unknown release"
    }
}
