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
        let created = record.created.wholeSeconds
        return message("location", record.time, location.coordinate) { object in
            object.member("tid", trackerID)
            object.member("acc", accuracy(of: location))
            object.member("alt", location.altitudeMSL?.wholeNumber)
            object.member("vac", location.plausibleVerticalAccuracy?.wholeNumber)
            object.member("vel", location.plausibleSpeed.flatMap { ($0 * 3.6).wholeNumber })
            object.member("cog", location.plausibleCourse?.wholeNumber.map { $0 % 360 })
            object.member("t", trigger)
            object.member("created_at", created == record.time.wholeSeconds ? nil : created)
            object.member("topic", topic)
            // Receivers ignore members that they do not know.
            if record.isRepeated { object.member("repeated", true) }
        }
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
        case .dwell, .outside, .undecided: return nil
        }
        return message("transition", record.time, location.coordinate) { object in
            object.member("event", event)
            object.member("desc", name)
            object.member("wtst", defined.wholeSeconds)
            object.member("acc", accuracy(of: location) ?? assumedAccuracy)
            object.member("tid", trackerID)
            object.member("t", "l")
            object.member("topic", topic)
            if record.isRepeated { object.member("repeated", true) }
        }
    }

    /// Returns the last message of a device, which the broker publishes in its place.
    static func lastWill(connected: Timestamp) -> [UInt8] {
        var json = TextBuffer()
        json.object { object in
            object.member("_type", "lwt")
            object.member("tst", connected.wholeSeconds)
        }
        return json.bytes
    }

    private static func message(
        _ type: String, _ time: Timestamp, _ coordinate: Coordinate, _ members: (inout TextBuffer) -> Void
    ) -> [UInt8] {
        var json = TextBuffer()
        json.object { object in
            object.member("_type", type)
            object.member("lat", coordinate.latitude, decimals: 7)
            object.member("lon", coordinate.longitude, decimals: 7)
            object.member("tst", time.wholeSeconds)
            members(&object)
        }
        return json.bytes
    }

    /// Home Assistant drops a message whose accuracy is 0.
    private static func accuracy(of location: Location) -> Int? {
        location.plausibleAccuracy?.wholeNumber.map { max(1, $0) }
    }
}
