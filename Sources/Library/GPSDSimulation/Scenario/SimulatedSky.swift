import Glibc
import LocationCore

/// A satellite as a receiver sees it.
package struct SimulatedSatellite: Hashable, Sendable {
    package var system: SatelliteSystem
    /// The NMEA number, unique within the system.
    package var number: Int
    /// The elevation above the horizon, in degrees.
    package var elevation: Double
    /// The azimuth in degrees, clockwise from north.
    package var azimuth: Double
    /// The carrier-to-noise density in dB-Hz, or `nil` if the receiver does not hear the satellite.
    package var signal: Double?
}

/// The satellites over a place at a time, on circular orbits of real size, so that they rise and set as real ones do.
///
/// The position of each satellite is invented; the number in view, the motion and the geometry are realistic.
package struct SimulatedSky: Hashable, Sendable {
    /// The seed of the noise of the signals and of the satellites' positions in their orbits.
    let seed: UInt64
    /// The minimum elevation of a satellite that is used in a fix, in degrees.
    private static let mask = 10.0

    /// Returns the satellites of some systems above the horizon, highest first within each system.
    func satellites(
        of systems: [SatelliteSystem], over place: Coordinate, at time: Timestamp
    ) -> [SimulatedSatellite] {
        let observer = Observer(place)
        let seconds = time.secondsSince1970
        return systems.flatMap { system in
            orbits(of: system).compactMap { orbit -> SimulatedSatellite? in
                let (elevation, azimuth) = observer.look(at: orbit.position(at: seconds))
                guard elevation >= 0 else { return nil }
                return SimulatedSatellite(
                    system: system, number: orbit.number, elevation: elevation, azimuth: azimuth,
                    signal: signal(elevation: elevation, of: orbit.number, in: system, at: seconds))
            }
            .sorted { $0.elevation > $1.elevation }
        }
    }

    /// Returns the satellites that a receiver would use in a fix: those heard well and above the mask.
    package func usable(of satellites: [SimulatedSatellite]) -> [SimulatedSatellite] {
        satellites.filter { $0.elevation >= Self.mask && ($0.signal ?? 0) >= 20 }
    }

    /// Returns three usable satellites that are well apart, for a 2D fix; fewer if there are not enough.
    func threeApart(of satellites: [SimulatedSatellite]) -> [SimulatedSatellite] {
        let usable = usable(of: satellites)
        guard let first = usable.filter({ $0.elevation < 50 }).max(by: { $0.elevation < $1.elevation }) else {
            return []
        }
        var chosen = [first]
        for turn in [120.0, 240.0] {
            let rest = usable.filter { !chosen.contains($0) && $0.elevation < 60 }
            if let next = rest.min(by: { $0.apart(from: first, by: turn) < $1.apart(from: first, by: turn) }) {
                chosen.append(next)
            }
        }
        return chosen
    }

    private func orbits(of system: SatelliteSystem) -> [Orbit] {
        let shape = system.orbits
        var generator = SplitMix64(seed: seed, stream: UInt64(system.rawValue))
        let node = generator.unit() * 360
        let start = generator.unit() * 360
        return (0..<shape.planes * shape.perPlane).map { index in
            let (plane, slot) = index.quotientAndRemainder(dividingBy: shape.perPlane)
            return Orbit(
                number: shape.firstNumber + index, radius: shape.radius, inclination: shape.inclination,
                node: node + 360 * Double(plane) / Double(shape.planes),
                anomaly: start + 360 * Double(slot) / Double(shape.perPlane) + shape.phasing * Double(plane))
        }
    }

    // As under an open sky: 28 dB-Hz at the horizon to 48 overhead, with a little noise that changes every second.
    private func signal(elevation: Double, of number: Int, in system: SatelliteSystem, at seconds: Double) -> Double {
        let stream = UInt64(system.rawValue) << 32 | UInt64(number)
        let second = UInt64(bitPattern: Int64(clamping: seconds.rounded(.down)))
        var generator = SplitMix64(seed: seed ^ second &* 0x9E37_79B9, stream: stream)
        return 28 + 20 * sin(elevation.radians) + generator.normal() * 1.2
    }
}

/// A circular orbit, in degrees and metres.
private struct Orbit {
    var number: Int
    var radius: Double
    var inclination: Double
    var node: Double
    var anomaly: Double

    private static let gravity = 3.986004418e14
    private static let earthRotation = 7.2921151467e-5

    /// Returns the position of the satellite at a time, in metres, in axes that rotate with the earth.
    func position(at seconds: Double) -> (x: Double, y: Double, z: Double) {
        let motion = (Orbit.gravity / (radius * radius * radius)).squareRoot()
        // Whole turns are removed first, because sines of huge angles lose digits.
        let along = anomaly.radians + (seconds * motion).remainder(dividingBy: 2 * .pi)
        let ascending = node.radians - (seconds * Orbit.earthRotation).remainder(dividingBy: 2 * .pi)
        let inPlane = (x: radius * cos(along), y: radius * sin(along))
        let tilt = inclination.radians
        return (
            inPlane.x * cos(ascending) - inPlane.y * cos(tilt) * sin(ascending),
            inPlane.x * sin(ascending) + inPlane.y * cos(tilt) * cos(ascending),
            inPlane.y * sin(tilt)
        )
    }
}

/// An observer at a place on the ellipsoid.
private struct Observer {
    private let x, y, z: Double
    private let latitude, longitude: Double

    init(_ place: Coordinate) {
        latitude = place.latitude.radians
        longitude = place.longitude.radians
        let eccentricity = Ellipsoid.eccentricitySquared
        let normal = Ellipsoid.equatorialRadius / (1 - eccentricity * sin(latitude) * sin(latitude)).squareRoot()
        x = normal * cos(latitude) * cos(longitude)
        y = normal * cos(latitude) * sin(longitude)
        z = normal * (1 - eccentricity) * sin(latitude)
    }

    func look(at target: (x: Double, y: Double, z: Double)) -> (elevation: Double, azimuth: Double) {
        let (dx, dy, dz) = (target.x - x, target.y - y, target.z - z)
        let east = -sin(longitude) * dx + cos(longitude) * dy
        let north =
            -sin(latitude) * cos(longitude) * dx - sin(latitude) * sin(longitude) * dy + cos(latitude) * dz
        let up = cos(latitude) * cos(longitude) * dx + cos(latitude) * sin(longitude) * dy + sin(latitude) * dz
        let azimuth = atan2(east, north) * 180 / .pi
        return (
            atan2(up, (east * east + north * north).squareRoot()) * 180 / .pi, azimuth < 0 ? azimuth + 360 : azimuth
        )
    }
}

extension SimulatedSatellite {
    /// Returns the angle in degrees between this satellite's azimuth and another's plus `turn`.
    fileprivate func apart(from other: SimulatedSatellite, by turn: Double) -> Double {
        abs((azimuth - other.azimuth - turn).remainder(dividingBy: 360))
    }
}

extension Double {
    var radians: Double { self * .pi / 180 }
}
