/// Three numbers along three axes, each of which may be unknown.
public struct Vector3: Hashable, Sendable, Codable {
    /// Along the first axis: x (ECEF) or north (NED).
    @Measured public var x: Double?
    /// Along the second axis: y (ECEF) or east (NED).
    @Measured public var y: Double?
    /// Along the third axis: z (ECEF) or down (NED).
    @Measured public var z: Double?

    /// A vector out of its three components.
    public init(_ x: Double?, _ y: Double?, _ z: Double?) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// A vector of which nothing is known.
    public static let unknown = Vector3(nil, nil, nil)
}
