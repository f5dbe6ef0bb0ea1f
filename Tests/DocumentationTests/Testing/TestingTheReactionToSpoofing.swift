import LocationCore
import LocationTesting
import Testing

@MainActor final class Helm {
    private(set) var course = "automatic"
    private(set) var warning: String?

    func follow(_ provider: some LocationProvider) async throws(LocationError) {
        for try await update in provider.tracked() {
            guard case .integrity(let change) = update else { continue }
            if change.to == .alarm {
                course = "by hand"
                warning = change.message
            }
            if change.to == .nominal { warning = nil }
        }
    }
}

@MainActor @Test func `a spoofed position hands the helm over`() async throws {
    let clock = ManualClock()
    let harbour = Coordinate(latitude: 54.1821, longitude: 7.8894)
    let source = ScriptedLocationSource([.spoofed(at: harbour, after: 30)], clock: clock)
    let helm = Helm()
    let following = Task { try await helm.follow(source) }

    for second in 0..<40 {
        try await clock.untilSleeping(second == 0 ? 1 : 2)
        clock.advance(by: .seconds(1))
    }
    try await eventually("the alarm") {
        helm.course
    } is: {
        $0 == "by hand"
    }
    #expect(helm.warning?.hasPrefix("moved") == true)
    following.cancel()
}
