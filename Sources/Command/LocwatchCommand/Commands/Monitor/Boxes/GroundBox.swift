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
        showsTrack ? "track" : state.reference == nil ? "scatter" : "scatter around the reference"
    }

    private var showsTrack: Bool {
        switch view.ground {
        case .automatic, .shown: state.isMoving && state.reference == nil
        case .track: true
        case .scatter: false
        }
    }

    func draw(on frame: inout Frame, in area: Area) {
        // The scatter around the mean of a receiver that has moved would be that of its way.
        let start: Duration = showsTrack || state.isMoving ? .zero : state.arrived ?? .zero
        let places = state.history.places.filter {
            state.now.elapsed - $0.elapsed <= MonitorHistory.placeDuration && $0.elapsed >= start
        }
        guard places.count >= 2, area.rows >= 4, let first = places.first?.coordinate else {
            frame.put("no positions yet", area.column + 1, area.row, .faint, in: area)
            return
        }
        // The scatter is shown around the point whose place is known, if there is one.
        let reference = showsTrack ? nil : state.reference?.point
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
        var dots = DotCanvas(columns: area.columns, rows: area.rows, view.glyphs)
        let reach = max(right - west, (top - south) * 2, 2)
        let scale = GroundScale(dots, reach: reach / 2, view.glyphs)
        let middle = GroundOffset(east: (west + right) / 2, north: (south + top) / 2)
        var last: (x: Double, y: Double)?
        for offset in offsets {
            let place = scale.place(offset, around: middle)
            if let last { dots.line(from: last, to: place, .title) }
            last = place
        }
        dots.draw(on: &frame, at: area)
        if let last {
            frame.put(
                view.glyphs.usedMark, area.column + Int(clamping: last.x) / dots.dotsAcross,
                area.row + Int(clamping: last.y) / dots.dotsDown, .bold, in: area)
        }
        frame.put(right: "\(text.distance(reach)) wide, north up", area.row, .faint, in: area)
    }

    private func drawScatter(_ offsets: [GroundOffset], on frame: inout Frame, in area: Area) {
        let count = Double(offsets.count)
        var mean = GroundOffset(
            east: offsets.reduce(0) { $0 + $1.east } / count, north: offsets.reduce(0) { $0 + $1.north } / count)
        if state.reference != nil { mean = GroundOffset(east: 0, north: 0) }
        let distances = offsets.map { ($0 - mean).length }.sorted()
        let radii = [0.5, 0.95].map { Distribution.quantile(of: distances, $0) ?? 0 }
        var dots = DotCanvas(columns: area.columns, rows: area.rows, view.glyphs)
        let scale = GroundScale(dots, reach: max(0.05, radii[1] * 1.4), view.glyphs)
        for offset in offsets {
            let (x, y) = scale.place(offset, around: mean)
            dots.dot(x, y, .title)
        }
        for (radius, tint) in zip(radii, [CellStyle.Tint.waiting, .bad]) {
            for step in 0..<(view.glyphs == .braille ? 120 : 36) {
                let angle = Double(step) * .pi / (view.glyphs == .braille ? 60 : 18)
                let edge = GroundOffset(east: mean.east + radius * sin(angle), north: mean.north + radius * cos(angle))
                let (x, y) = scale.place(edge, around: mean)
                dots.dot(x, y, CellStyle(tint: tint))
            }
        }
        dots.draw(on: &frame, at: area)
        if state.reference != nil {
            frame.put(
                "x", area.column + dots.width / dots.dotsAcross / 2, area.row + dots.height / dots.dotsDown / 2, .bold,
                in: area)
        }
        let words = radii.map { text.distance($0, inUnitOf: radii[1]) }
        frame.put("50 % \(words[0])", area.column + 1, area.row, CellStyle(tint: .waiting), in: area)
        frame.put("95 % \(words[1])", area.column + 1, area.row + 1, CellStyle(tint: .bad), in: area)
        frame.put(
            offsets.count.counting("position"), area.column + 1, area.row + area.rows - 1, .faint, in: area)
    }
}

/// The scale of a drawing of the ground, the same in both directions although cells are twice as high as wide.
private struct GroundScale {
    private let middle: (x: Double, y: Double)
    private let perMetre: (x: Double, y: Double)

    /// - Parameter reach: The distance in metres from the middle to the nearer edge.
    init(_ dots: DotCanvas, reach: Double, _ glyphs: MonitorGlyphs) {
        let (width, height) = (Double(dots.width), Double(dots.height))
        middle = (width / 2, height / 2)
        // Braille dots are square; whole cells are not.
        let aspect = glyphs == .braille ? 1.0 : 2.0
        let half = min(width / aspect, height) / 2
        perMetre = (half * aspect / reach, half / reach)
    }

    func place(_ offset: GroundOffset, around centre: GroundOffset) -> (x: Double, y: Double) {
        (
            middle.x + (offset.east - centre.east) * perMetre.x,
            middle.y - (offset.north - centre.north) * perMetre.y
        )
    }
}
