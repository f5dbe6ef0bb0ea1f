import LocationCore

/// The JSON of a record under the keys of a `location` line of `locwatch watch -j`.
enum RecordJSON {
    static func text(_ record: PublishRecord) -> [UInt8] {
        var object = JSONObject()
        switch record.occasion {
        case .fence(let kind, let name):
            object.set("event", "fence")
            object.set("fence", name)
            object.set("change", kind.rawValue)
        case .lost: object.set("event", "lost")
        case .moved, .heartbeat, .manual, .found: object.set("event", "location")
        }
        object.set("time", time(record))
        if let location = record.location {
            object.set("lat", location.coordinate.latitude, decimals: 7)
            object.set("lon", location.coordinate.longitude, decimals: 7)
            object.set("altMSL", location.altitudeMSL, decimals: 3)
            object.set("altHAE", location.altitudeHAE, decimals: 3)
            object.set("mode", location.fix.rawValue)
            object.set("eph", location.horizontalAccuracy, decimals: 3)
            object.set("epv", location.verticalAccuracy, decimals: 3)
            object.set("speed", location.speed, decimals: 3)
            object.set("course", location.course, decimals: 2)
            object.set("climb", location.climb, decimals: 3)
            object.set("device", location.device)
            object.set("received", location.received?.formatted(fractionDigits: 3))
        }
        object.set("used", record.satellitesUsed)
        if record.occasion == .heartbeat { object.set("heartbeat", true) }
        return object.text
    }

    /// The time of the fix; for a loss, the time of the loss.
    private static func time(_ record: PublishRecord) -> String {
        (record.occasion == .lost ? record.created : record.time).formatted(fractionDigits: 3)
    }
}
