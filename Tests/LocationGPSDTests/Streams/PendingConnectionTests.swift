import LocationCore
import Testing

@testable import LocationGPSD

@Suite struct PendingConnectionTests {
    private let begun = Timestamp(secondsSince1970: 1_795_972_021)

    @Test func `the last address is taken unless gpsd has closed it`() {
        var opening = PendingConnection(isLast: true)
        #expect(opening.outcome(of: nil) == .closed)
        #expect(opening.outcome(of: begun) == .open)
    }

    @Test func `another address is taken when data has come from it`() {
        var opening = PendingConnection(isLast: false)
        #expect(opening.outcome(of: begun) == .undecided)
        #expect(opening.outcome(of: begun) == .undecided)
        #expect(opening.outcome(of: begun.advanced(by: .milliseconds(200))) == .open)
        #expect(opening.outcome(of: nil) == .closed)
    }

    @Test func `gpsd is asked at once, and then after a pause`() {
        var opening = PendingConnection(isLast: false)
        #expect(opening.isDue && !opening.isOver)
        opening.noteQuestion()
        #expect(opening.timeLeft <= .milliseconds(100))
    }
}
