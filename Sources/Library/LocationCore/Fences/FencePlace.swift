/// A fence as seen from a position.
package struct FencePlace: Hashable, Sendable {
    package let name: String
    /// Whether the position is in the fence, or `nil` if no position has decided yet.
    package let isInside: Bool?
    /// The distance in metres from the position to the centre of the fence, if both are known.
    package let distance: Double?
    /// The bearing of the centre in degrees from true north, unless the position is the centre.
    package let bearing: Double?

    init(_ fence: Fence, isInside: Bool?, from coordinate: Coordinate?) {
        name = fence.name
        self.isInside = isInside
        guard let coordinate, let center = fence.center else {
            (distance, bearing) = (nil, nil)
            return
        }
        let way = Geodesic(from: coordinate, to: center)
        distance = way.distance
        bearing = way.distance == 0 ? nil : way.initialBearing
    }
}
