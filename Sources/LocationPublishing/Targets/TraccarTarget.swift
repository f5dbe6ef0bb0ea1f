import LocationCore

/// Traccar's OsmAnd protocol: one position in the query of each request.
///
/// The query is the form that every release of Traccar and every program that imitates it understands.
public struct TraccarTarget: HTTPTarget {
    private static let knots = 1.943_844_5

    private let origin: String
    private let identifier: String

    /// Creates a target for a device.
    ///
    /// - Parameters:
    ///   - url: The address of the server; its query is replaced.
    ///   - identifier: The identifier of the device in Traccar.
    public init(_ url: HTTPURL, identifier: String) {
        origin = url.origin + url.path
        self.identifier = identifier
    }

    /// The order in which the target takes records after an outage.
    public var backlog: BacklogOrder { .ordered }

    /// Returns the request for records, or `nil` if there is nothing to send for them.
    public func request(for records: [PublishRecord]) -> HTTPRequest? {
        // Without a position Traccar would store the last one again.
        guard let record = records.first, let location = record.location, record.occasion != .lost else { return nil }
        var query = URLQuery()
        query.set("id", identifier)
        query.set("timestamp", String(record.time.nanosecondsSince1970.flooringDivision(by: 1_000_000)))
        query.set("lat", location.coordinate.latitude, decimals: 7)
        query.set("lon", location.coordinate.longitude, decimals: 7)
        query.set("speed", location.speed.map { $0 * Self.knots }, decimals: 3)
        query.set("bearing", location.course, decimals: 1)
        query.set("altitude", location.altitudeMSL, decimals: 1)
        query.set("accuracy", location.horizontalAccuracy, decimals: 1)
        if let used = record.satellitesUsed { query.set("sat", String(Int64(used))) }
        if case .fence(let kind, let name) = record.occasion {
            query.set("geofence", name)
            query.set("event", kind.rawValue)
        }
        guard let url = try? HTTPURL(origin + "?" + query.text) else { return nil }
        return HTTPRequest(.get, url)
    }

    /// Returns what a response means for the records of its request.
    public func verdict(on response: HTTPResponse) -> DeliveryVerdict {
        guard response.status == 400 || response.status == 404 else { return .ofStatus(response) }
        return .refused(
            cause: "Traccar does not know the device: add a device with the identifier \(VisibleText.of(identifier))")
    }
}
