import LocationCore
import LocationGPSD
import GPSDProtocol
import Observation

@main struct Terminal {
    @MainActor static func main() async throws {
        let dashboard = DashboardModel(try provider(for: CommandLine.arguments.dropFirst().first))
        dashboard.start()
        for await lines in Observations({ dashboard.lines }) {
            // Clear the screen and move the cursor to its top.
            print("\u{1B}[2J\u{1B}[H" + lines.joined(separator: "\n"))
        }
    }

    private static func provider(for source: String?) throws -> any LocationProvider {
        guard let source else { return GPSDLocationSource() }
        if source.hasSuffix(".json") { return ReplayProvider(.path(source)) }
        return GPSDLocationSource(try GPSDEndpoint(parsing: source))
    }
}
