/// A sequence of a polygon's edges, unrolled into one plane of degrees.
struct PolygonEdges: Sequence, IteratorProtocol {
    struct Corner {
        var east: Double
        var north: Double
    }
    struct Edge {
        let from: Corner
        let to: Corner
    }

    private let vertices: [Coordinate]
    private var index = 0
    private var corner = Corner(east: 0, north: 0)

    /// Creates the edges, with longitudes relative to a meridian.
    init(_ vertices: [Coordinate], eastOf meridian: Double) {
        self.vertices = vertices
        guard let first = vertices.first else { return }
        corner = Corner(east: (first.longitude - meridian).remainder(dividingBy: 360), north: first.latitude)
    }

    mutating func next() -> Edge? {
        guard index < vertices.count else { return nil }
        let to = vertices[index + 1 < vertices.count ? index + 1 : 0]
        let east = corner.east + longitudeDifference(vertices[index], to)
        let edge = Edge(from: corner, to: Corner(east: east, north: to.latitude))
        index += 1
        corner = edge.to
        return edge
    }
}
