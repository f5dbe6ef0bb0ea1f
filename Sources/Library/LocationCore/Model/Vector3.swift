/// Three numbers along three axes, each of which may be unknown.
public struct Vector3: Hashable, Sendable, Codable {
    /// The component along the first axis: x (ECEF) or north (NED).
    @OptionalDouble public var x: Double?
    /// The component along the second axis: y (ECEF) or east (NED).
    @OptionalDouble public var y: Double?
    /// The component along the third axis: z (ECEF) or down (NED).
    @OptionalDouble public var z: Double?

    /// Creates a vector from its three components.
    public init(_ x: Double?, _ y: Double?, _ z: Double?) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// A vector whose components are all unknown.
    public static let unknown = Vector3(nil, nil, nil)
}
