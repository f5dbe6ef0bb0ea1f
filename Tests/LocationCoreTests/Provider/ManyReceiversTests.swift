@testable import LocationCore
import LocationTesting
import Testing

/// Tests that many receivers take memory of limited size.
@Suite struct ManyReceiversTests {
    private static func sky(of device: String, satellites: Int = 1, at moment: Moment) -> LocationUpdate {
        let list = (0..<satellites).map { Satellite(constellation: .gps, number: $0, isUsed: false) }
        return LocationUpdate(
            .satellites(SkyView(satellites: list, timestamp: moment.wall, device: device)), at: moment)
    }

    @Test func `the satellites of a hundred thousand are kept, and the counts of more`() {
        var view = SessionView()
        for number in 0..<300 {
            view.process(Self.sky(of: "device-\(number)", satellites: 400, at: moment(Double(number))))
        }
        #expect(view["device-0"]?.sky?.satellites?.count == 400)
        #expect(view["device-249"]?.sky?.satellites?.count == 400)
        #expect(view["device-250"]?.sky?.satellites == nil && view["device-250"]?.seen == 400)
        // The room of a report that is replaced is used again.
        for number in 250..<300 {
            view.process(Self.sky(of: "device-0", satellites: 0, at: moment(Double(number))))
            view.process(Self.sky(of: "device-\(number)", satellites: 400, at: moment(Double(number))))
            view.process(Self.sky(of: "device-\(number)", satellites: 0, at: moment(Double(number))))
        }
        #expect(view["device-299"]?.sky?.satellites?.isEmpty == true)
        view.process(Self.sky(of: "device-299", satellites: 400, at: moment(300)))
        #expect(view["device-299"]?.sky?.satellites?.count == 400)
    }
}
