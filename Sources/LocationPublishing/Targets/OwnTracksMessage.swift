import LocationCore

/// The JSON objects of OwnTracks, which MQTT and HTTP carry alike.
///
/// Numbers other than coordinates are integers, as the apps require.
package enum OwnTracksMessage {
    /// The accuracy in metres of a transition whose position has none, because receivers drop a transition without it;
    /// the monitor of fences assumes the same.
    private static let assumedAccuracy = 25

    /// Returns a location, or `nil` for an occasion on which none is published.
    ///
    /// A fence event has a message of its own, and a loss has no word in OwnTracks.
    ///
    /// - Parameter topic: The topic that the message would have over MQTT, for HTTP.
    package static func location(_ record: PublishRecord, trackerID: String, topic: String? = nil) -> [UInt8]? {
        let trigger: String?
        switch record.occasion {
        case .moved, .found: trigger = nil
        case .heartbeat: trigger = "p"
        case .manual: trigger = "u"
        case .fence, .lost: return nil
        }
        guard let location = record.location else { return nil }
        var object = begin("location", record.time, location.coordinate)
        object.member("tid", trackerID)
        object.member("acc", integer: accuracy(of: location))
        object.member("alt", integer: location.altitudeMSL?.wholeNumber)
        object.member("vac", integer: location.plausibleVerticalAccuracy?.wholeNumber)
        // The apps truncate a speed.
        object.member("vel", integer: location.plausibleSpeed.flatMap { ($0 * 3.6).rounded(.down).wholeNumber })
        object.member("cog", integer: location.plausibleCourse?.wholeNumber.map { $0 % 360 })
        object.member("t", trigger)
        let created = record.created.wholeSeconds
        object.member("created_at", integer: created == record.time.wholeSeconds ? nil : created)
        object.member("topic", topic)
        return object.bytes
    }

    /// Returns a transition, or `nil` if the record is not about entering or leaving a fence.
    ///
    /// - Parameter defined: The time at which the fences were defined.
    static func transition(
        _ record: PublishRecord, trackerID: String, defined: Timestamp, topic: String? = nil
    ) -> [UInt8]? {
        guard case .fence(let kind, let name) = record.occasion, let location = record.location else { return nil }
        let event: String
        switch kind {
        // Receivers keep a device in a zone from the enter on, so a leave must never come without one.
        case .inside, .enter: event = "enter"
        case .exit: event = "leave"
        case .dwell: return nil
        }
        var object = begin("transition", record.time, location.coordinate)
        object.member("event", event)
        object.member("desc", name)
        object.member("wtst", integer: defined.wholeSeconds)
        object.member("acc", integer: accuracy(of: location) ?? assumedAccuracy)
        object.member("tid", trackerID)
        object.member("t", "l")
        object.member("topic", topic)
        return object.bytes
    }

    /// Returns the last message of a device, which the broker publishes in its place.
    static func lastWill(connected: Timestamp) -> [UInt8] {
        var object = JSONObject()
        object.member("_type", "lwt")
        object.member("tst", integer: connected.wholeSeconds)
        return object.bytes
    }

    private static func begin(_ type: String, _ time: Timestamp, _ coordinate: Coordinate) -> JSONObject {
        var object = JSONObject()
        object.member("_type", type)
        object.member("lat", number: coordinate.latitude, decimals: 7)
        object.member("lon", number: coordinate.longitude, decimals: 7)
        object.member("tst", integer: time.wholeSeconds)
        return object
    }

    /// Home Assistant drops a message whose accuracy is 0.
    private static func accuracy(of location: Location) -> Int? {
        location.plausibleAccuracy?.wholeNumber.map { max(1, $0) }
    }
}
