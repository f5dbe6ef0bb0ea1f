import LocationCore
import Testing

@testable import LocwatchCommand

struct SessionFailuresTests {
    private static let refused = LocationError.unreachable(host: "localhost", port: "2947", cause: "refused")
    private static let lost = LocationError.connectionLost(host: "localhost", port: "2947", cause: "closed")

    @Test func `a repeated failure is not reported again, but a different one is`() {
        var failures = SessionFailures()
        let told = [Self.refused, Self.refused, Self.lost, Self.refused].map { error in
            _ = failures.news(in: .searching(.connecting(attempt: 2)))
            return failures.news(in: .failure(error))
        }
        #expect(told == [Self.refused, nil, Self.lost, Self.refused])
        #expect(!failures.hasHeard && failures.current == Self.refused)
    }

    @Test func `a failure is reported again after gpsd has answered`() {
        var failures = SessionFailures()
        #expect(failures.news(in: .failure(Self.refused)) != nil)
        #expect(failures.news(in: .searching(.connected(release: "3.22"))) == nil)
        #expect(failures.hasHeard && failures.current == nil)
        #expect(failures.news(in: .failure(Self.refused)) == Self.refused)
    }

    @Test func `the same advice is given only once`() {
        var failures = SessionFailures()
        #expect(failures.advice(on: Self.refused) != nil)
        #expect(failures.advice(on: Self.refused) == nil)
        #expect(failures.advice(on: Self.lost) != nil)
    }

    @Test(
        arguments: [
            .notice(.linesSkipped(count: 1, cause: "no JSON")), .searching(.starting), .authorization(.denied),
        ] as [LocationEvent])
    func `events that any server can cause do not count as an answer of gpsd`(event: LocationEvent) {
        var failures = SessionFailures()
        _ = failures.news(in: event)
        #expect(!failures.hasHeard)
    }
}
