/// The units of the figures in a picture.
package struct PlotUnits: Sendable {
    /// A unit with its name, and its size in metres or metres per second.
    package typealias Unit = (name: String, size: Double)

    let length: Unit
    /// The unit of lengths that are at least as long.
    let distance: Unit
    let speed: Unit

    package init(length: Unit, distance: Unit, speed: Unit) {
        self.length = length
        self.distance = distance
        self.speed = speed
    }

    static let metric = PlotUnits(length: ("m", 1), distance: ("km", 1000), speed: ("m/s", 1))

    func text(_ metres: Double) -> String {
        let unit = unit(of: metres)
        return "\(RoundNumber.text(metres / unit.size)) \(unit.name)"
    }

    /// Returns the greatest length that is a round number in its unit and not greater than another one.
    func roundLength(below metres: Double) -> Double {
        let unit = unit(of: metres)
        return RoundNumber.below(metres / unit.size) * unit.size
    }

    private func unit(of metres: Double) -> Unit { metres >= distance.size ? distance : length }
}
