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
        let center = coordinate == nil ? nil : fence.center
        let distance = center.flatMap { coordinate?.distance(to: $0) }
        self.distance = distance
        bearing = distance == 0 ? nil : center.flatMap { coordinate?.bearing(to: $0) }
    }
}
