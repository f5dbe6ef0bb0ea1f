import Glibc
import LocationCore
import LocationTracks
import LocwatchTerminal

/// The box with the positions of the last ten minutes on the ground, as a track or as a scatter.
///
/// It shows the track while the receiver moves, or else the scatter of those since it came to where it is. With a point whose
/// place is known, it is the scatter around that point.
struct GroundBox: MonitorBox {
    static let name = "ground"
    static let key: Unicode.Scalar? = "6"
    static let leastRows = 6

    let state: MonitorState
    let view: MonitorView

    func region(on screen: ScreenSize, room: Int) -> BoxRegion? {
        screen.columns >= 110 && screen.rows >= 36 || view.ground != .automatic ? .left : nil
    }

    func rowsForPosition(of rows: Int) -> Int { min(12, max(9, rows - Self.leastRows)) }

    var title: String {
        if showsTrack { return "track" }
        return state.scene.reference == nil ? "scatter" : "scatter around the reference"
    }

    private var showsTrack: Bool {
        switch view.ground {
        case .automatic, .shown: state.scene.isMoving && state.scene.reference == nil
        case .track: true
        case .scatter: false
        }
    }

    func draw(on frame: inout Frame, in area: Area) {
        // The scatter around the mean of a receiver that has moved would be that of its way.
        let start: Duration = showsTrack || state.scene.isMoving ? .zero : state.scene.arrived ?? .zero
        let places = state.scene.history.places.filter {
            state.now.elapsed - $0.elapsed <= MonitorHistory.placeDuration && $0.elapsed >= start
        }
        guard places.count >= 2, area.rows >= 4, let first = places.first?.coordinate else {
            frame.put("no positions yet", area.column + 1, area.row, .faint, in: area)
            return
        }
        // The scatter is shown around the point whose place is known, if there is one.
        let reference = showsTrack ? nil : state.scene.reference?.point
        let plane = LocalPlane(at: first)
        let offsets = places.map { place in
            guard let error = reference?.error(of: Location(coordinate: place.coordinate)) else {
                return plane.offset(from: first, to: place.coordinate)
            }
            return GroundOffset(east: error.east, north: error.north)
        }
        if showsTrack {
            drawTrack(offsets, on: &frame, in: area)
        } else {
            drawScatter(offsets, on: &frame, in: area)
        }
    }

    private func drawTrack(_ offsets: [GroundOffset], on frame: inout Frame, in area: Area) {
        let (east, north) = (offsets.map(\.east), offsets.map(\.north))
        guard let west = east.min(), let right = east.max(), let south = north.min(), let top = north.max() else {
            return
        }
        let reach = max(right - west, (top - south) * 2, 2)
        let middle = GroundOffset(east: (west + right) / 2, north: (south + top) / 2)
        var ground = GroundCanvas(area, around: middle, reach: reach / 2, view.glyphs)
        let places = offsets.map(ground.place)
        for (start, end) in zip(places, places.dropFirst()) { ground.dots.line(from: start, to: end, .title) }
        ground.dots.draw(on: &frame, at: area)
        if let last = places.last {
            frame.put(
                view.glyphs.usedMark, area.column + Int(clamping: last.x) / ground.dots.dotsAcross,
                area.row + Int(clamping: last.y) / ground.dots.dotsDown, .bold, in: area)
        }
        frame.put(right: "\(text.distance(reach)) wide, north up", area.row, .faint, in: area)
    }

    private func drawScatter(_ offsets: [GroundOffset], on frame: inout Frame, in area: Area) {
        let count = Double(offsets.count)
        let mean =
            state.scene.reference == nil
            ? GroundOffset(
                east: offsets.reduce(0) { $0 + $1.east } / count, north: offsets.reduce(0) { $0 + $1.north } / count)
            : GroundOffset(east: 0, north: 0)
        let distances = offsets.map { ($0 - mean).length }.sorted()
        let radii = [0.5, 0.95].map { Distribution.quantile(of: distances, $0) ?? 0 }
        var ground = GroundCanvas(area, around: mean, reach: max(0.05, radii[1] * 1.4), view.glyphs)
        for offset in offsets { ground.dot(offset, .title) }
        let steps = view.glyphs == .braille ? 120 : 36
        for (radius, tint) in zip(radii, [CellStyle.Tint.waiting, .bad]) {
            for angle in (0..<steps).map({ Double($0) * 2 * .pi / Double(steps) }) {
                let edge = GroundOffset(east: mean.east + radius * sin(angle), north: mean.north + radius * cos(angle))
                ground.dot(edge, CellStyle(tint: tint))
            }
        }
        ground.dots.draw(on: &frame, at: area)
        if state.scene.reference != nil {
            frame.put("x", area.column + area.columns / 2, area.row + area.rows / 2, .bold, in: area)
        }
        let words = radii.map { text.distance($0, inUnitOf: radii[1]) }
        frame.put("50 % \(words[0])", area.column + 1, area.row, CellStyle(tint: .waiting), in: area)
        frame.put("95 % \(words[1])", area.column + 1, area.row + 1, CellStyle(tint: .bad), in: area)
        frame.put(
            offsets.count.counting("position"), area.column + 1, area.row + area.rows - 1, .faint, in: area)
    }
}

/// A drawing of the ground with the same scale in both directions, although cells are twice as high as wide.
private struct GroundCanvas {
    var dots: DotCanvas
    private let centre: GroundOffset
    private let perMetre: (x: Double, y: Double)

    /// - Parameter reach: The distance in metres from the middle to the nearer edge.
    init(_ area: Area, around centre: GroundOffset, reach: Double, _ glyphs: MonitorGlyphs) {
        dots = DotCanvas(columns: area.columns, rows: area.rows, glyphs)
        self.centre = centre
        // Braille dots are square; whole cells are not.
        let aspect = glyphs == .braille ? 1.0 : 2.0
        let half = min(Double(dots.width) / aspect, Double(dots.height)) / 2
        perMetre = (half * aspect / reach, half / reach)
    }

    func place(_ offset: GroundOffset) -> (x: Double, y: Double) {
        (
            Double(dots.width) / 2 + (offset.east - centre.east) * perMetre.x,
            Double(dots.height) / 2 - (offset.north - centre.north) * perMetre.y
        )
    }

    mutating func dot(_ offset: GroundOffset, _ style: CellStyle) {
        let (x, y) = place(offset)
        dots.dot(x, y, style)
    }
}
