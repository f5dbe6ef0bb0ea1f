import LocationCore

/// The JSON of OwnTracks, which is the same over MQTT and over HTTP.
struct OwnTracksMessage: Hashable, Sendable {
    /// The user to whom the device belongs.
    let user: String
    /// The name of the device.
    let device: String
    /// Two characters that a map shows at the position.
    let trackerID: String

    /// - Parameter trackerID: By default the last two characters of the device's name.
    init(user: String, device: String, trackerID: String? = nil) {
        self.user = user
        self.device = device
        self.trackerID = trackerID ?? String(device.suffix(2))
    }

    /// The topic below which everything of the device is published.
    var topic: String { "owntracks/\(user)/\(device)" }

    /// Returns the message for a position, or `nil` if the record has none.
    ///
    /// - Parameter topic: The topic that a message over HTTP contains.
    func location(_ record: PublishRecord, topic: String? = nil) -> [UInt8]? {
        guard let location = record.location else { return nil }
        var object = JSONObject()
        object.set("_type", "location")
        position(of: location, at: record, in: &object)
        object.set(rounded: "alt", location.altitudeMSL)
        object.set(rounded: "vac", location.verticalAccuracy)
        // The applications cut the decimals off.
        object.set("vel", location.speed.flatMap { $0.isFinite ? Int(clamping: ($0 * 3.6).rounded(.down)) : nil })
        object.set(rounded: "cog", location.course)
        object.set("t", record.occasion.ownTracksTrigger)
        object.set("tid", trackerID)
        object.set("topic", topic)
        return object.text
    }

    /// Returns the message for entering or leaving a fence, or `nil` for anything else.
    ///
    /// - Parameter created: The time at which the fence was set up.
    func transition(_ record: PublishRecord, created: Timestamp, topic: String? = nil) -> [UInt8]? {
        guard case .fence(let kind, let name) = record.occasion, let location = record.location,
            let event = kind.ownTracksEvent
        else { return nil }
        var object = JSONObject()
        object.set("_type", "transition")
        object.set("event", event)
        object.set("desc", name)
        object.set("wtst", created.wholeSeconds)
        position(of: location, at: record, in: &object)
        object.set("t", "l")
        object.set("tid", trackerID)
        object.set("topic", topic)
        return object.text
    }

    /// Returns the message that the broker publishes when the connection breaks.
    func lastWill(connected: Timestamp) -> [UInt8] {
        var object = JSONObject()
        object.set("_type", "lwt")
        object.set("tst", connected.wholeSeconds)
        return object.text
    }

    private func position(of location: Location, at record: PublishRecord, in object: inout JSONObject) {
        object.set("lat", location.coordinate.latitude, decimals: 7)
        object.set("lon", location.coordinate.longitude, decimals: 7)
        object.set("tst", record.time.wholeSeconds)
        if record.created.wholeSeconds != record.time.wholeSeconds {
            object.set("created_at", record.created.wholeSeconds)
        }
        // Home Assistant drops a message whose accuracy is missing or 0.
        object.set(rounded: "acc", location.horizontalAccuracy.map { max(1, $0) })
    }
}

extension PublishRecord.Occasion {
    /// The trigger that OwnTracks shows, or `nil` for an automatic message.
    var ownTracksTrigger: String? {
        switch self {
        case .heartbeat: "p"
        case .manual: "u"
        case .moved, .found, .lost, .fence: nil
        }
    }
}

extension FenceEvent.Kind {
    /// The word of OwnTracks; it has none for a stay.
    var ownTracksEvent: String? {
        switch self {
        case .inside, .enter: "enter"
        case .exit: "leave"
        case .dwell: nil
        }
    }
}

extension Timestamp {
    /// The whole seconds since 1970, rounded down.
    var wholeSeconds: Int { Int(nanosecondsSince1970.flooringDivision(by: 1_000_000_000)) }
}

extension Int64 {
    /// Returns the largest whole number that is not above the quotient.
    func flooringDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
