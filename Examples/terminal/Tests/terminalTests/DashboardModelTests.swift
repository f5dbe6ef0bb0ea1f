import LocationCore
import LocationTesting
import Testing

@testable import terminal

@MainActor struct DashboardModelTests {
    private let clock = ManualClock()

    @Test func `the dashboard shows the position, then where it was lost`() async throws {
        let source = ScriptedLocationSource([.searching(.noDevice)], clock: clock)
        let dashboard = DashboardModel(source)
        dashboard.start()
        try await eventually("the search") {
            dashboard.lines
        } is: {
            $0 == ["Searching: gpsd has no receiver", "No position yet"]
        }

        source.forceLocation(52.5163, 13.3777, accuracy: 4.2)
        try await eventually("the position") {
            dashboard.lines
        } is: {
            $0 == ["Position found", "52.5163, 13.3777", "± 5 m"]
        }

        source.forceError(.connectionLost(host: "localhost", port: 2947, cause: "reset by peer"))
        try await eventually("the last position") {
            dashboard.lines.last
        } is: {
            $0 == "Last position: 52.5163, 13.3777"
        }
        dashboard.stop()
    }
}
