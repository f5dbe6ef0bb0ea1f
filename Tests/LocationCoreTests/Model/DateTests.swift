import Foundation
import LocationCore
import LocationFoundation
import Testing

@Suite struct DateTests {
    @Test(arguments: [
        "1970-01-01T00:00:00Z", "2026-11-20T09:00:00.25Z", "1700-03-01T23:59:59Z", "2261-12-31T00:00:00Z",
    ])
    func `a date is the same time as its timestamp, and back`(text: String) throws {
        let timestamp = try #require(Timestamp(text))
        #expect(abs(Date(timestamp).timeIntervalSince1970 - timestamp.secondsSince1970) < 1e-5)
        #expect(abs(Timestamp(Date(timestamp)).since(timestamp).inSeconds) < 1e-5)
    }

    @Test func `a date that no timestamp can represent is clamped`() {
        #expect(Timestamp(Date.distantFuture).nanosecondsSince1970 == .max)
        #expect(Timestamp(Date.distantPast).nanosecondsSince1970 == .min)
    }

    @Test func `now is the time of the system`() {
        let (before, now, after) = (Date(), Timestamp.now, Date())
        #expect(Timestamp(before).advanced(by: .milliseconds(-1)) <= now)
        #expect(now <= Timestamp(after).advanced(by: .milliseconds(1)))
        let moment = SessionClock.system().now
        #expect(moment.elapsed < .seconds(60) && now <= moment.wall)
    }
}
