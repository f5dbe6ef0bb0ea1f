/// A named area whose border can be monitored.
public struct Fence: Hashable, Sendable {
    /// The shape of a fence.
    public enum Shape: Hashable, Sendable {
        /// All points within `radius` metres of `center`.
        case circle(center: Coordinate, radius: Double)
        /// The inside of a border given by its vertices, with edges that are straight in latitude and longitude.
        case polygon([Coordinate])
        /// All points within `radius` metres of the first position of a session.
        case anchor(radius: Double)
    }

    /// The name of the fence in its events.
    public let name: String
    /// The shape of the fence.
    public private(set) var shape: Shape
    /// The time after which a stay in the fence is a `dwell` event, or `nil` for that of the list of fences.
    public var dwellAfter: Duration?
    /// The distance in metres outside the fence up to which a position counts as drift, or `nil` for the distance that follows
    /// from the accuracy of each position.
    public var margin: Double?

    /// Creates a fence; throws if the shape has no area that can be monitored.
    public init(name: String, shape: Shape) throws(InvalidValue) {
        switch shape {
        case .circle(_, let radius), .anchor(let radius):
            guard radius > 0, radius.isFinite else {
                throw InvalidValue("the radius \(radius) is not a positive number of metres")
            }
        case .polygon(let vertices):
            let count = Set(vertices).count
            guard count >= 3 else {
                throw InvalidValue("a polygon needs three different vertices, and this one has \(count)")
            }
            // Around a pole the border ends one turn away from where it began.
            let turn = PolygonEdges(vertices, eastOf: 0).reduce(0) { $0 + $1.to.east - $1.from.east }
            guard abs(turn) < 180 else {
                throw InvalidValue("the polygon goes around a pole, so it has no inside")
            }
            // The vertices can be collinear, or the parts between crossing edges cancel each other out.
            guard Self.area(vertices) > 0 else { throw InvalidValue("the polygon encloses no area") }
        }
        self.name = name
        self.shape = shape
    }

    /// The centre of a circle, or `nil` for another shape.
    public var center: Coordinate? {
        if case .circle(let center, _) = shape { center } else { nil }
    }

    /// A point of the fence or of its border, unless it has no place yet.
    var somePoint: Coordinate? {
        switch shape {
        case .circle(let center, _): center
        case .polygon(let vertices): vertices.first
        case .anchor: nil
        }
    }

    /// Returns an anchor as the circle around a position; another fence stays as it is.
    func anchored(at center: Coordinate) -> Fence {
        guard case .anchor(let radius) = shape else { return self }
        var fence = self
        fence.shape = .circle(center: center, radius: radius)
        return fence
    }

    /// Returns the distance in metres to the nearest point of the border, positive inside and negative outside.
    ///
    /// An anchor has no inside before it has its position.
    package func signedDistanceInside(_ coordinate: Coordinate) -> Double {
        switch shape {
        case .circle(let center, let radius): radius - coordinate.distance(to: center)
        // The initializer guarantees vertices; without any, every point would be outside.
        case .polygon(let vertices): coordinate.signedDistance(toBorderOf: vertices) ?? -.infinity
        case .anchor: -.infinity
        }
    }

    /// The accuracy in metres that a fix needs at least: twice the radius, and for a polygon that of a circle of the same area.
    package var coarsestAccuracy: Double {
        switch shape {
        case .circle(_, let radius), .anchor(let radius): 2 * radius
        case .polygon(let vertices): 2 * (Self.area(vertices) / .pi).squareRoot()
        }
    }

    /// Returns the approximate area in square metres; requires at least one vertex.
    private static func area(_ vertices: [Coordinate]) -> Double {
        let first = vertices[0]
        var (doubled, north) = (0.0, 0.0)
        for edge in PolygonEdges(vertices, eastOf: first.longitude) {
            // Relative to the first vertex, because small areas would be lost in the rounding of large products.
            let (y1, y2) = (edge.from.north - first.latitude, edge.to.north - first.latitude)
            doubled += edge.from.east * y2 - edge.to.east * y1
            north += edge.from.north
        }
        let parallel = Angle(degrees: north / Double(vertices.count)).cosine
        let degree = Ellipsoid.equatorialRadius * .pi / 180
        return abs(doubled) / 2 * parallel * degree * degree
    }
}

extension Fence: Codable {
    private enum CodingKeys: String, CodingKey { case name, center, radius, polygon, anchor, dwellAfter, margin }

    /// Reads a fence with either a `center` and a `radius`, a `polygon`, or `anchor` with its radius, `dwellAfter` in seconds, and
    /// `margin` in metres; throws if it encloses nothing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        let shape: Shape =
            if let vertices = try container.decodeIfPresent([Coordinate].self, forKey: .polygon) {
                .polygon(vertices)
            } else if let radius = try container.decodeIfPresent(Double.self, forKey: .anchor) {
                .anchor(radius: radius)
            } else {
                .circle(
                    center: try container.decode(Coordinate.self, forKey: .center),
                    radius: try container.decode(Double.self, forKey: .radius))
            }
        do {
            try self.init(name: name, shape: shape)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: container.codingPath, debugDescription: "invalid fence \(name): \(error)",
                    underlyingError: error))
        }
        dwellAfter = try container.decodeIfPresent(Double.self, forKey: .dwellAfter).map { seconds in
            // Nanoseconds are exact for months, and a sum of them compares equal to itself.
            guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .dwellAfter, in: container, debugDescription: "not a duration: \(seconds) s")
            }
            return .nanoseconds(nanoseconds)
        }
        margin = try container.decodeIfPresent(Double.self, forKey: .margin)
    }

    /// Writes the name, the shape as `init(from:)` reads it, and `dwellAfter` and `margin` if there are any.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        switch shape {
        case .circle(let center, let radius):
            try container.encode(center, forKey: .center)
            try container.encode(radius, forKey: .radius)
        case .polygon(let vertices):
            try container.encode(vertices, forKey: .polygon)
        case .anchor(let radius): try container.encode(radius, forKey: .anchor)
        }
        try container.encodeIfPresent(dwellAfter.map { $0.inSeconds }, forKey: .dwellAfter)
        try container.encodeIfPresent(margin, forKey: .margin)
    }
}
