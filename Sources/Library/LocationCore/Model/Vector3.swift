/// Three numbers along three axes, each of which may be unknown.
package struct Vector3: Hashable, Sendable, Codable {
    /// The component along the first axis: x (ECEF) or north (NED).
    @OptionalDouble package var x: Double?
    /// The component along the second axis: y (ECEF) or east (NED).
    @OptionalDouble package var y: Double?
    /// The component along the third axis: z (ECEF) or down (NED).
    @OptionalDouble package var z: Double?

    package init(_ x: Double?, _ y: Double?, _ z: Double?) {
        self.x = x
        self.y = y
        self.z = z
    }

    package static let unknown = Vector3(nil, nil, nil)
}
