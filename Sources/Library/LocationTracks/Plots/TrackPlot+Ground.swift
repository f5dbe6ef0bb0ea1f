import LocationCore

extension TrackPlot {
    /// Draws the track on its own scale, north up.
    func drawTrack(_ canvas: inout SVGCanvas, _ size: Double) -> Bool {
        let lines = trackLines
        guard let first = lines.first?.first, let last = lines.last?.last else { return false }
        let frame = GroundFrame(lines.flatMap(\.self), margin: 44, size: size)
        title("Track", &canvas, size)
        // The track of a stationary receiver is a tangle, in which thin lines still show where it was most often.
        let style = frame.metres(size) < 150 ? "drift" : "way"
        for line in lines {
            let points = line.map(frame.place)
            if points.count == 1 { canvas.dots(points, "dot") } else { canvas.path(points, style) }
        }
        let (begin, end) = (frame.place(first), frame.place(last))
        canvas.circle(begin.0, begin.1, 6, "begin")
        canvas.rectangle(end.0 - 5, end.1 - 5, 10, 10, "finish")
        canvas.circle(20, size - 18, 6, "begin")
        canvas.text("begins", 32, size - 13, "s")
        canvas.rectangle(84, size - 23, 10, 10, "finish")
        canvas.text("ends", 100, size - 13, "s")
        let length = units.roundLength(below: frame.metres(size / 3))
        let width = frame.pixels(length)
        canvas.line(size - 20 - width, size - 16, size - 20, size - 16, "bar")
        canvas.line(size - 20 - width, size - 21, size - 20 - width, size - 11, "bar")
        canvas.line(size - 20, size - 21, size - 20, size - 11, "bar")
        canvas.text(units.text(length), size - 20 - width / 2, size - 26, "s", .middle)
        canvas.path([(size - 24, 62), (size - 24, 34)], "bar")
        canvas.path([(size - 30, 43), (size - 24, 32), (size - 18, 43)], "bar")
        canvas.text("N", size - 24, 78, "s", .middle)
        return true
    }

    /// Draws the positions of the longest standstill around their mean.
    func drawScatter(_ canvas: inout SVGCanvas, _ size: Double) -> Bool {
        guard let scatter else { return false }
        let middle = size / 2
        let reach = groundReach(scatter.cep95 * 1.7)
        let scale = (middle - 52) / reach
        title("Scatter of the longest standstill", &canvas, size)
        let step = units.roundLength(below: reach / 2)
        let marks = RoundNumber.marks(upTo: reach, every: step).dropFirst().filter { $0 < reach }
        canvas.line(40, middle, size - 40, middle, "grid")
        canvas.line(middle, 40, middle, size - 40, "grid")
        for mark in marks { canvas.circle(middle, middle, mark * scale, "grid") }
        let places = statistics.standstill.places
        let shown = stride(from: 0, to: places.count, by: max(1, places.count / 3000)).map { places[$0] }
        let inside = shown.filter { max(abs($0.east), abs($0.north)) <= reach }
        canvas.dots(inside.map { (middle + $0.east * scale, middle - $0.north * scale) }, "dot")
        canvas.circle(middle, middle, scatter.cep50 * scale, "c50")
        canvas.circle(middle, middle, scatter.cep95 * scale, "c95")
        canvas.line(middle - 7, middle, middle + 7, middle, "mean")
        canvas.line(middle, middle - 7, middle, middle + 7, "mean")
        if let reference = referenceOffset {
            let (x, y) = (middle + reference.east * scale, middle - reference.north * scale)
            if abs(x - middle) < middle - 12, abs(y - middle) < middle - 12 {
                canvas.path([(x - 7, y - 7), (x + 7, y + 7)], "mark")
                canvas.path([(x - 7, y + 7), (x + 7, y - 7)], "mark")
                canvas.text("reference", x + 10, y + 4, "s")
            }
            canvas.text(referenceText, size - 12, 74, "s", .end)
        }
        for mark in marks { canvas.text(units.text(mark), middle + 4, middle - mark * scale + 12, "s") }
        canvas.text("N", middle, 40, "s", .middle)
        canvas.text("E", size - 30, middle + 4, "s", .middle)
        canvas.line(14, size - 18, 40, size - 18, "c50")
        canvas.text("CEP50 \(units.text(scatter.cep50))", 46, size - 14, "s")
        canvas.line(150, size - 18, 178, size - 18, "c95")
        canvas.text("CEP95 \(units.text(scatter.cep95))", 184, size - 14, "s")
        canvas.text("2DRMS \(units.text(scatter.twiceDRMS))", 290, size - 14, "s")
        if let reported = scatter.medianReported {
            canvas.text("reported ±\(units.text(reported))", size - 12, 58, "s", .end)
        }
        let outside = shown.count - inside.count
        if outside > 0 { canvas.text("\(outside) beyond the frame", size - 12, size - 34, "s", .end) }
        return true
    }

    /// The segments of the track, relative to its first position.
    var trackLines: [[GroundOffset]] {
        let segments = statistics.history.segments
        guard let origin = segments.first?.first.map({ SurfacePoint($0) }) else { return [] }
        return segments.map { $0.map { origin.offset(to: SurfacePoint($0)) } }
    }

    /// The figures of the longest standstill, if it has enough positions for a picture.
    var scatter: Scatter? {
        guard let scatter = statistics.standstill.scatter, scatter.count >= 10, scatter.cep95 > 0 else { return nil }
        return scatter
    }

    /// The reference point relative to the mean of the longest standstill, if there is one.
    var referenceOffset: GroundOffset? {
        guard let reference = statistics.reference, let mean = statistics.standstill.mean else { return nil }
        return SurfacePoint(mean).offset(to: SurfacePoint(reference.point.coordinate))
    }

    /// The errors against the reference point in a few words.
    var referenceText: String {
        guard let errors = statistics.reference?.distances, let half = errors.median, let most = errors.quantile(0.95)
        else { return "" }
        return "error 50 % \(units.text(half)), 95 % \(units.text(most))"
    }

    /// Returns the reach of a picture of the scatter, which shows the reference point unless the scatter would be too small.
    func groundReach(_ reach: Double) -> Double {
        guard let reference = referenceOffset else { return reach }
        let distance = max(abs(reference.east), abs(reference.north)) * 1.2
        return distance < reach * 10 ? max(reach, distance) : reach
    }

    func title(_ text: String, _ canvas: inout SVGCanvas, _ size: Double) {
        canvas.rectangle(0, 0, size, size, "frame")
        canvas.text(text, 12, 22, "p")
    }
}

/// A mapping of metres east and north to a square, with the same scale in both directions.
struct GroundFrame {
    private let scale: Double
    private let centre: GroundOffset
    private let middle: Double

    init(_ places: [GroundOffset], margin: Double, size: Double) {
        let (west, east) = Self.bounds(places.map(\.east))
        let (south, north) = Self.bounds(places.map(\.north))
        // One point or a standstill is shown with some metres around it.
        let extent = max(east - west, north - south, 10)
        scale = (size - 2 * margin) / extent
        centre = GroundOffset(east: (west + east) / 2, north: (south + north) / 2)
        middle = size / 2
    }

    func place(_ offset: GroundOffset) -> (Double, Double) {
        (middle + (offset.east - centre.east) * scale, middle - (offset.north - centre.north) * scale)
    }

    func metres(_ pixels: Double) -> Double { pixels / scale }
    func pixels(_ metres: Double) -> Double { metres * scale }

    private static func bounds(_ values: [Double]) -> (Double, Double) { (values.min() ?? 0, values.max() ?? 0) }
}
