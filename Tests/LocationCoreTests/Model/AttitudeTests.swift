import LocationCore
import Testing

/// Tests of the attitude of a receiver, with a position and without one.
struct AttitudeTests {
    private let place = Location(coordinate: Coordinate(latitude: 52.5, longitude: 13.3), course: 90)

    @Test func `a location has the attitude that is set, and none without any value`() {
        var location = place
        #expect(location.attitude == nil && location.heading == nil)
        (location.heading, location.pitch) = (nil, nil)
        #expect(location == place)
        (location.heading, location.headingMagnetic, location.pitch) = (77.5, 74, -2)
        (location.roll, location.rateOfTurn) = (3, -12)
        #expect(location.attitude == Attitude(heading: 77.5, headingMagnetic: 74, pitch: -2, roll: 3, rateOfTurn: -12))
        #expect(location["heading"] == 77.5 && location["mheading"] == 74 && location["rot"] == -12)
        #expect(location.course == 90, "the heading is not the course")
    }

    @Test func `a later heading replaces both, because an earlier one belongs to another direction`() {
        var attitude = Attitude(heading: 10, headingMagnetic: 7, pitch: 1, rateOfTurn: 3)
        attitude.update(with: Attitude(headingMagnetic: 97, roll: 2))
        #expect(attitude == Attitude(headingMagnetic: 97, pitch: 1, roll: 2, rateOfTurn: 3))
        attitude.update(with: Attitude(pitch: 4))
        #expect(attitude == Attitude(headingMagnetic: 97, pitch: 4, roll: 2, rateOfTurn: 3))
    }

    @Test func `a value that is not a number is unknown`() {
        let attitude = Attitude(heading: .nan, headingMagnetic: .infinity, pitch: -.infinity)
        #expect(attitude == Attitude() && attitude.isEmpty)
        #expect("\(attitude)" == "without values")
    }

    @Test func `an event of an attitude describes its known values`() {
        let event = LocationEvent.attitude(Attitude(headingMagnetic: 218.6, roll: 3.9, device: "/dev/\u{1B}[2J"))
        #expect("\(event)" == "attitude headingMagnetic 218.6, roll 3.9, device /dev/\\x1b[2J")
        #expect(event.device == "/dev/\u{1B}[2J")
    }
}
