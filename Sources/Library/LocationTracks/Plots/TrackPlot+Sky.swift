import Glibc
package import LocationCore

extension TrackPlot {
    /// The paths of the satellites, by their systems and numbers.
    var satellites: [(key: TrackHistory.SatelliteKey, value: SatellitePath)] {
        statistics.history.satellites.sorted {
            ($0.key.constellation?.rawValue ?? 99, $0.key.number) < (
                $1.key.constellation?.rawValue ?? 99, $1.key.number
            )
        }
    }

    /// Draws the paths of the satellites, with the zenith in the middle and north up.
    func drawSky(_ canvas: inout SVGCanvas, _ size: Double) -> Bool {
        let satellites = satellites
        guard !satellites.isEmpty else { return false }
        let middle = size / 2 + 4
        let radius = size / 2 - 62
        title("Satellites", &canvas, size)
        for elevation in [0.0, 30, 60] {
            canvas.circle(middle, middle, radius * (90 - elevation) / 90, elevation == 0 ? "axis" : "grid")
            if elevation > 0 {
                canvas.text(
                    "\(Int(clamping: elevation))°", middle + 3, middle - radius * (90 - elevation) / 90 + 12, "s")
            }
        }
        canvas.line(middle - radius, middle, middle + radius, middle, "grid")
        canvas.line(middle, middle - radius, middle, middle + radius, "grid")
        for (name, x, y) in [("N", 0.0, -1.0), ("E", 1, 0), ("S", 0, 1), ("W", -1, 0)] {
            canvas.text(name, middle + x * (radius + 13), middle + y * (radius + 13) + 4, "t", .middle)
        }
        let circle = HorizonCircle(centre: (middle, middle), radius: radius)
        var labels = LabelPlaces(width: size, height: size - 40)
        let ends = satellites.compactMap { $0.value.places.last.map(circle.place) }
        for end in ends { labels.block(end.0 - 5, end.1 - 5, 10, 10) }
        for (key, path) in satellites {
            let ink = key.constellation?.rawValue ?? 7
            let points = path.places.map(circle.place)
            canvas.path(points, "sat k\(ink)")
            guard let end = points.last else { continue }
            canvas.circle(end.0, end.1, 4.5, path.wasUsed ? "f\(ink)" : "begin k\(ink)")
            let name = "\(key.constellation?.letter ?? "")\(key.number)"
            if let (x, y) = labels.place(beside: end, width: Double(name.count) * 7, height: 11) {
                canvas.text(name, x, y, "s")
            }
        }
        var x = 14.0
        for constellation in Constellation.allCases
        where satellites.contains(where: { $0.key.constellation == constellation }) {
            canvas.circle(x, size - 18, 4.5, "f\(constellation.rawValue)")
            canvas.text("\(constellation.letter) \(constellation.name)", x + 8, size - 14, "s")
            x += Double(constellation.name.count) * 7 + 36
        }
        canvas.text("filled: used for a fix", size - 12, 22, "s", .end)
        return true
    }

    func drawSignals(_ canvas: inout SVGCanvas, _ size: Double) -> Bool {
        let signals = statistics.signals.sorted { ($0.key?.rawValue ?? 99) < ($1.key?.rawValue ?? 99) }
        guard !signals.isEmpty else { return false }
        title("Signal by system, dB-Hz", &canvas, size)
        let (left, right, bottom) = (84.0, size - 24, size - 52)
        let top = 60.0
        let highest = max(50, signals.compactMap(\.value.maximum).max() ?? 50)
        let scale = (right - left) / highest
        // The step keeps the number of marks small even if a receiver reports absurd signals.
        for mark in RoundNumber.marks(upTo: highest, every: max(10, RoundNumber.below(highest / 5))) {
            canvas.line(left + mark * scale, top, left + mark * scale, bottom, "grid")
            canvas.text(RoundNumber.text(mark), left + mark * scale, bottom + 16, "s", .middle)
        }
        let pitch = min(72, (bottom - top) / Double(signals.count))
        for (index, (constellation, values)) in signals.enumerated() {
            let ink = constellation?.rawValue ?? 7
            let y = top + (Double(index) + 0.5) * pitch
            canvas.text(constellation?.name ?? "unknown", left - 10, y + 4, "t", .end)
            guard let low = values.quantile(0.05), let quarter = values.quantile(0.25), let median = values.median,
                let three = values.quantile(0.75), let high = values.quantile(0.95)
            else { continue }
            canvas.line(left + low * scale, y, left + high * scale, y, "sat k\(ink)")
            canvas.rectangle(left + quarter * scale, y - 10, max(1, (three - quarter) * scale), 20, "b\(ink)")
            canvas.line(left + median * scale, y - 13, left + median * scale, y + 13, "bar")
            canvas.text(RoundNumber.text(median), left + median * scale, y - 17, "s", .middle)
        }
        canvas.text("line: 5–95 %   box: 25–75 %   mark: median", left, size - 14, "s")
        return true
    }
}

extension Constellation {
    /// The letter of the system in RINEX.
    package var letter: String {
        switch self {
        case .gps: "G"
        case .sbas: "S"
        case .galileo: "E"
        case .beidou: "C"
        case .imes: "M"
        case .qzss: "J"
        case .glonass: "R"
        case .navic: "I"
        }
    }
}

/// The circle of the horizon in a picture, with north up.
struct HorizonCircle {
    let centre: (x: Double, y: Double)
    let radius: Double

    func place(_ position: (elevation: Double, azimuth: Double)) -> (Double, Double) {
        let distance = radius * (90 - position.elevation) / 90
        let angle = position.azimuth * .pi / 180
        return (centre.x + distance * sin(angle), centre.y - distance * cos(angle))
    }
}

/// A search for label positions that do not overlap.
struct LabelPlaces {
    private typealias Box = (x: Double, y: Double, width: Double, height: Double)
    private var taken: [Box] = []
    private let width: Double
    private let height: Double

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    mutating func block(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        taken.append((x, y, width, height))
    }

    /// Returns the left end of a label's baseline near a point, or `nil` if every position is taken.
    mutating func place(beside point: (Double, Double), width: Double, height: Double) -> (Double, Double)? {
        let (x, y) = point
        for distance in [7.0, 14] {
            let boxes: [Box] = [
                (x + distance, y - height / 2, width, height), (x - distance - width, y - height / 2, width, height),
                (x - width / 2, y - distance - height, width, height), (x - width / 2, y + distance, width, height),
                (x + distance * 0.7, y - distance - height / 2, width, height),
                (x + distance * 0.7, y + distance - height / 2, width, height),
                (x - distance * 0.7 - width, y - distance - height / 2, width, height),
                (x - distance * 0.7 - width, y + distance - height / 2, width, height),
            ]
            for box in boxes where isFree(box) {
                taken.append(box)
                return (box.x, box.y + height - 1)
            }
        }
        return nil
    }

    private func isFree(_ box: Box) -> Bool {
        box.x >= 2 && box.y >= 26 && box.x + box.width <= width - 2 && box.y + box.height <= height
            && taken.allSatisfy { other in
                box.x >= other.x + other.width || other.x >= box.x + box.width || box.y >= other.y + other.height
                    || other.y >= box.y + box.height
            }
    }
}
