/// A point on the WGS 84 ellipsoid, in degrees; always finite and within range.
public struct Coordinate: Hashable, Sendable {
    /// The degrees north of the equator, −90 … 90.
    public let latitude: Double
    /// The degrees east of Greenwich, −180 … 180.
    public let longitude: Double

    /// Creates a coordinate from valid numbers; for untrusted numbers use `init(checking:_:)`.
    ///
    /// - Precondition: both numbers are finite and within range.
    public init(latitude: Double, longitude: Double) {
        guard let checked = Coordinate(checking: latitude, longitude) else {
            preconditionFailure(
                "invalid coordinate \(latitude), \(longitude): use init(checking:_:) for untrusted numbers")
        }
        self = checked
    }

    /// Creates a coordinate from untrusted numbers, or returns `nil` if they are not finite or out of range.
    @inlinable public init?(checking latitude: Double, _ longitude: Double) {
        // Comparisons with NaN are false, so NaN fails here too.
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.init(unchecked: latitude, longitude)
    }

    @usableFromInline init(unchecked latitude: Double, _ longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension Coordinate: Codable {
    private enum CodingKeys: String, CodingKey { case latitude, longitude }

    /// Reads a coordinate; throws if it is out of range.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let latitude = try container.decode(Double.self, forKey: .latitude)
        let longitude = try container.decode(Double.self, forKey: .longitude)
        guard let checked = Coordinate(checking: latitude, longitude) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: "out of range: \(latitude), \(longitude)"))
        }
        self = checked
    }
}
