import LocationCore

/// A stored track as GeoJSON in pieces of limited size, with the text that `GeoJSONWriter` makes of its points.
///
/// In a feature all times come after all positions. The points of a line are therefore read twice, so that no line is
/// kept as text.
package struct GeoJSONPieces {
    /// The vertices of a feature: points of the track, between points on the antimeridian if the line ends there.
    private struct Line {
        var first: GeoJSONVertex?
        var points: Range<Int>
        var last: GeoJSONVertex?
        /// The first vertex of the next line, if that continues on the other side of the antimeridian.
        var next: GeoJSONVertex?

        var count: Int { (first == nil ? 0 : 1) + points.count + (last == nil ? 0 : 1) }
    }

    private enum Part { case header, positions, times, trailer, end }

    private let count: Int
    private let vertex: (Int) -> GeoJSONVertex
    private let beginsSegment: (Int) -> Bool
    private var part = Part.header
    private var line = Line(points: 0..<0)
    /// The number of vertices of the line of which the text was made.
    private var made = 0
    private var segment = 1

    /// Creates the pieces of a track with a number of points.
    ///
    /// - Parameters:
    ///   - beginsSegment: Returns whether a point begins a segment.
    ///   - vertex: Returns the vertex of a point, always the same one.
    package init(
        count: Int, beginsSegment: @escaping (Int) -> Bool, vertex: @escaping (Int) -> GeoJSONVertex
    ) {
        (self.count, self.beginsSegment, self.vertex) = (count, beginsSegment, vertex)
    }

    /// Returns the next piece, which is at least of a size unless it is the last one; it is empty after the end.
    package mutating func next(_ size: Int) -> [UInt8] {
        var out = TextBuffer()
        while out.count < size, part != .end { advance(&out) }
        return out.bytes
    }

    private mutating func advance(_ out: inout TextBuffer) {
        switch part {
        case .header:
            out.put(GeoJSONLineText.header)
            begin(at: 0, nil, &out)
        case .positions where made < line.count, .times where made < line.count:
            if made > 0 { out.put(UInt8(ascii: ",")) }
            if part == .positions { madeVertex.appendPosition(into: &out) } else { madeVertex.appendTime(into: &out) }
            made += 1
        case .positions:
            text.beginTimes(into: &out)
            (part, made) = (.times, 0)
        case .times:
            text.end(into: &out)
            begin(at: line.points.upperBound, line.next, &out)
        case .trailer:
            out.put(GeoJSONLineText.trailer)
            part = .end
        case .end: break
        }
    }

    private var text: GeoJSONLineText {
        GeoJSONLineText(
            isLine: line.count > 1, segment: segment, device: nil,
            crosses: (first: line.first != nil, last: line.last != nil))
    }

    private var madeVertex: GeoJSONVertex {
        if made == 0, let first = line.first { return first }
        let place = line.points.lowerBound + made - (line.first == nil ? 0 : 1)
        // After the points there is only the last vertex.
        return line.last.flatMap { place == line.points.upperBound ? $0 : nil } ?? vertex(place)
    }

    /// Begins the line whose first point is at a place, or the end of the file.
    private mutating func begin(at start: Int, _ first: GeoJSONVertex?, _ out: inout TextBuffer) {
        guard start < count else { return part = .trailer }
        if start > 0, beginsSegment(start) { segment += 1 }
        line = Line(first: first, points: start..<start + 1)
        var before = vertex(start)
        while line.points.upperBound < count, !beginsSegment(line.points.upperBound) {
            let point = vertex(line.points.upperBound)
            if let crossing = before.crossing(to: point) {
                (line.last, line.next) = crossing
                break
            }
            line.points = start..<line.points.upperBound + 1
            before = point
        }
        (part, made) = (.positions, 0)
        text.beginPositions(isFirst: start == 0, into: &out)
    }
}
