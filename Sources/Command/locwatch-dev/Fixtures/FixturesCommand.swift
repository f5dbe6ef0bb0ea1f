import GPSDSimulation
import LocwatchPlatform

/// Records the output of gpsd for simulated receivers into a folder, as fixtures for tests.
struct FixturesCommand: DeveloperCommand {
    static let name = "fixtures"
    static let operands = "FOLDER [NAME …]"
    static let summary = "record the output of gpsd for simulated receivers"

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
        for fixture in Fixture.all where names.isEmpty || names.contains(fixture.name) {
            let recording = try FixtureRecording(of: fixture, in: devices.path)
            try FixtureFolder.write(recording, of: fixture, into: folder)
            print(
                "\(fixture.name): \(recording.lines.count) lines, \(recording.lines.reduce(0) { $0 + $1.count }) bytes")
        }
    }
}
