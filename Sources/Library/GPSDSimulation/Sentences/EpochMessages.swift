import Glibc
import LocationCore

/// The binary messages of an epoch that a u-blox receiver with two bands sends.
enum EpochMessages {
    /// The seconds between the first GPS week, a Sunday, and 1970, without leap seconds, and the leap seconds since 2017.
    private static let (start, leapSeconds): (Int64, Int64) = (315_964_800, 18)

    /// Returns NAV-PVT, NAV-SAT, NAV-SIG and NAV-EOE, with which the epoch ends.
    static func bytes(of epoch: ScenarioEpoch) -> [UInt8] {
        guard let time = epoch.reported.time else { return [] }
        let seconds = time.nanosecondsSince1970 / 1_000_000_000
        let week = UInt32((seconds - start + leapSeconds) % 604_800) * 1000
        let end = message(0x61, little(week))
        return position(epoch, time, week) + satellites(epoch, week) + signals(epoch, week) + end
    }

    private static func message(_ id: UInt16, _ payload: [UInt8]) -> [UInt8] { UBXMessage.bytes(0x0100 | id, payload) }

    private static func position(_ epoch: ScenarioEpoch, _ time: Timestamp, _ week: UInt32) -> [UInt8] {
        let (position, civil) = (epoch.reported, time.civil)
        var payload = little(week) + little(UInt16(civil.year))
        payload += [civil.month, civil.day, civil.hour, civil.minute, civil.second].map(UInt8.init)
        // The date and the time are valid and resolved; with an accuracy of 20 ns.
        payload += [0x37] + little(UInt32(20)) + little(UInt32(0))
        let fix = position.coordinate == nil ? 0 : epoch.reception.dimensions ?? 0
        payload += [UInt8(fix), fix == 0 ? 0 : 1, 0, UInt8(epoch.used.count)]
        let (altitude, separation) = (position.altitude ?? 0, position.geoidSeparation ?? 0)
        payload += scaled(position.coordinate?.longitude, 1e7) + scaled(position.coordinate?.latitude, 1e7)
        payload += scaled(altitude + separation, 1000) + scaled(altitude, 1000)
        payload += scaled(position.errors.horizontalAccuracy, 1000) + scaled(position.errors.verticalAccuracy, 1000)
        let (speed, course) = (position.speed ?? 0, (position.course ?? 0).radians)
        payload += scaled(speed * cos(course), 1000) + scaled(speed * sin(course), 1000) + scaled(0, 1000)
        payload += scaled(speed, 1000) + scaled(position.course, 1e5)
        // The accuracies of the speed and of the course.
        payload += scaled(0.2, 1000) + scaled(5, 1e5) + little(UInt16(clamping: (epoch.dops?.position ?? 99) * 100))
        return message(0x07, payload + [UInt8](repeating: 0, count: 92 - payload.count))
    }

    private static func satellites(_ epoch: ScenarioEpoch, _ week: UInt32) -> [UInt8] {
        var payload = little(week) + [1, UInt8(epoch.satellites.count), 0, 0]
        for satellite in epoch.satellites {
            payload += [satellite.system.numberOfUBlox, satellite.numberOfUBlox, satellite.strength]
            payload += [UInt8(clamping: satellite.elevation)] + little(UInt16(clamping: satellite.azimuth)) + [0, 0]
            // The quality of a signal that is tracked, the use, and the health.
            let unused: UInt32 = satellite.signal == nil ? 0x11 : 0x14
            payload += little(epoch.used.contains(satellite) ? 0x1F : unused)
        }
        return message(0x35, payload)
    }

    private static func signals(_ epoch: ScenarioEpoch, _ week: UInt32) -> [UInt8] {
        let heard = epoch.satellites.filter { $0.signal != nil }
        // Some satellites of GPS are too old for the second signal, which is weaker.
        let second = heard.filter { $0.system != .gps || !$0.number.isMultiple(of: 3) }
        let signals =
            heard.map { ($0, UInt8(0), $0.strength) }
            + second.map { ($0, $0.system.secondSignalOfUBlox, $0.strength - min(4, $0.strength)) }
        var payload = little(week) + [0, UInt8(signals.count), 0, 0]
        for (satellite, signal, strength) in signals {
            let isUsed = epoch.used.contains(satellite)
            payload += [satellite.system.numberOfUBlox, satellite.numberOfUBlox, signal, 0, 0, 0]
            payload += [strength, isUsed ? 7 : 4, 0, 0]
            // The health, and the use for the position.
            payload += little(UInt16(isUsed ? 0x09 : 0x01)) + [0, 0, 0, 0]
        }
        return message(0x43, payload)
    }

    /// Returns a number in units of which `scale` are one.
    private static func scaled(_ number: Double?, _ scale: Double) -> [UInt8] {
        little(Int32(clamping: ((number ?? 0) * scale).rounded()))
    }

    private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

/// The numbers of u-blox.
extension SatelliteSystem {
    fileprivate var numberOfUBlox: UInt8 {
        switch self {
        case .gps: 0
        case .glonass: 6
        case .galileo: 2
        case .beidou: 3
        }
    }

    /// L5 of GPS, E5a of Galileo, B2a of BeiDou, and L2 of GLONASS, which has no other.
    fileprivate var secondSignalOfUBlox: UInt8 {
        switch self {
        case .gps, .beidou: 7
        case .glonass: 2
        case .galileo: 4
        }
    }
}

extension SimulatedSatellite {
    fileprivate var numberOfUBlox: UInt8 { UInt8(clamping: system == .glonass ? number - 64 : number) }
    /// The strength of the first signal, in decibels.
    fileprivate var strength: UInt8 { UInt8(clamping: signal ?? 0) }
}
