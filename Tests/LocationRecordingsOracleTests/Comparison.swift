import CGPSD
import LocationCore

@testable import GPSDProtocol

/// A value that the two decoders read differently.
struct Difference: Hashable, CustomStringConvertible {
    let field: String
    let ours: String
    let theirs: String

    var description: String { "\(field): \(ours) here, \(theirs) in libgps" }
}

/// A comparison of the results of both decoders for one line, field by field.
struct Comparison {
    private(set) var differences: [Difference] = []
    /// The number of compared fields.
    private(set) var fields = 0

    private mutating func compare<Value: Equatable>(_ field: String, _ ours: Value, _ theirs: Value) {
        fields += 1
        guard ours != theirs else { return }
        differences.append(Difference(field: field, ours: "\(ours)", theirs: "\(theirs)"))
    }

    /// Compares numbers, which must be equal to the last bit; an unknown number is NaN in libgps.
    private mutating func compare(_ field: String, _ ours: Double?, _ theirs: Double) {
        compare(field, ours, theirs.isNaN ? nil : theirs)
    }

    /// Compares integers; libgps has a specific value for each absent one.
    private mutating func compare(_ field: String, _ ours: Int?, _ theirs: Int32, absent: Int) {
        compare(field, ours ?? absent, Int(theirs))
    }

    /// Compares times; an absent time is 1970 in libgps.
    private mutating func compare(_ field: String, _ ours: Timestamp?, _ seconds: Int64, _ nanoseconds: Int) {
        let theirs = Timestamp(nanosecondsSince1970: seconds * 1_000_000_000 + Int64(nanoseconds))
        compare(field, ours ?? Timestamp(nanosecondsSince1970: 0), theirs)
    }

    /// Compares texts; an absent text is empty in libgps.
    private mutating func compare(text field: String, _ ours: String?, _ theirs: UnsafePointer<CChar>?) {
        compare(field, ours ?? "", theirs.map { String(cString: $0) })
    }

    /// Compares settings that are present; libgps has various defaults for absent ones.
    private mutating func compare(setting field: String, _ ours: Int?, _ theirs: Int32) {
        if let ours { compare(field, ours, Int(theirs)) }
    }
}

extension Comparison {
    /// Returns whether both decoders keep the values of a report's class.
    static func covers(_ report: GPSDReport) -> Bool {
        switch report {
        case .tpv, .sky, .gst, .device, .devices, .version: true
        case .att, .watch, .toff, .pps, .poll, .error, .mark, .other: false
        }
    }

    /// Compares a report with the oracle's result for the same line.
    init(_ report: GPSDReport, _ oracle: Oracle) {
        switch report {
        case .tpv(let tpv): add(tpv, oracle)
        case .sky(let sky): add(sky, oracle)
        case .gst(let gst):
            let theirs = locwatch_oracle_gst_time_of(oracle.handle)
            compare("time", gst.time, theirs.seconds, theirs.nanoseconds)
        case .device(let device): add(device, locwatch_oracle_device_of(oracle.handle), "")
        case .devices(let list): add(list, oracle.devices)
        case .version(let version): add(version, locwatch_oracle_version_of(oracle.handle))
        case .att, .watch, .toff, .pps, .poll, .error, .mark, .other: break
        }
    }

    private mutating func add(_ tpv: TPVReport, _ oracle: Oracle) {
        let fix = locwatch_oracle_fix_of(oracle.handle)
        compare(text: "device", tpv.device, locwatch_oracle_device_of(oracle.handle).path)
        compare("time", tpv.time, fix.seconds, fix.nanoseconds)
        compare("mode", tpv.mode, fix.mode, absent: 0)
        compare("status", tpv.status, fix.status, absent: 0)
        compare("leapseconds", tpv["leapseconds"].map { Int($0) }, fix.leap_seconds, absent: 0)
        compare("dgpsSta", tpv["dgpsSta"].map { Int($0) }, fix.dgps_station, absent: -1)
        compare("lat", tpv.lat, fix.latitude)
        compare("lon", tpv.lon, fix.longitude)
        let numbers = [
            ("altHAE", fix.altitude_hae), ("altMSL", fix.altitude_msl), ("geoidSep", fix.geoid_separation),
            ("depth", fix.depth), ("course", fix.track), ("courseMagnetic", fix.magnetic_track),
            ("magvar", fix.magnetic_variation), ("speed", fix.speed), ("climb", fix.climb), ("ept", fix.ept),
            ("epx", fix.epx), ("epy", fix.epy), ("epv", fix.epv), ("eph", fix.eph), ("sep", fix.sep),
            ("eps", fix.eps), ("epd", fix.epd), ("epc", fix.epc), ("dgpsAge", fix.dgps_age), ("ecefx", fix.ecef_x),
            ("ecefy", fix.ecef_y), ("ecefz", fix.ecef_z), ("ecefvx", fix.ecef_vx), ("ecefvy", fix.ecef_vy),
            ("ecefvz", fix.ecef_vz), ("ecefpAcc", fix.ecef_position_accuracy),
            ("ecefvAcc", fix.ecef_velocity_accuracy), ("velN", fix.velocity_north), ("velE", fix.velocity_east),
            ("velD", fix.velocity_down), ("relN", fix.relative_north), ("relE", fix.relative_east),
            ("relD", fix.relative_down),
        ]
        for (field, theirs) in numbers { compare(field, tpv[field], theirs) }
    }

    private mutating func add(_ sky: SKYReport, _ oracle: Oracle) {
        let theirs = locwatch_oracle_sky_of(oracle.handle)
        compare(text: "device", sky.device, locwatch_oracle_device_of(oracle.handle).path)
        compare("time", sky.time, theirs.seconds, theirs.nanoseconds)
        compare("nSat", sky.nSat, theirs.visible, absent: 0)
        compare("uSat", sky.uSat, theirs.used, absent: 0)
        let numbers = [
            ("xdop", sky.dilution.longitude, theirs.xdop), ("ydop", sky.dilution.latitude, theirs.ydop),
            ("hdop", sky.dilution.horizontal, theirs.hdop), ("vdop", sky.dilution.vertical, theirs.vdop),
            ("pdop", sky.dilution.position, theirs.pdop), ("tdop", sky.dilution.time, theirs.tdop),
            ("gdop", sky.dilution.geometric, theirs.gdop),
        ]
        for (field, ours, theirs) in numbers { compare(field, ours, theirs) }
        let (satellites, others) = (sky.satellites ?? [], oracle.satellites)
        compare("satellites", satellites.count, others.count)
        for (index, (ours, theirs)) in zip(satellites, others).enumerated() {
            add(ours, theirs, "satellites[\(index)].")
        }
    }

    private mutating func add(_ ours: Satellite, _ theirs: locwatch_oracle_satellite, _ prefix: String) {
        compare(prefix + "PRN", ours.prn, theirs.prn, absent: 0)
        compare(prefix + "gnssid", ours.constellation?.rawValue, theirs.gnssid, absent: 0)
        compare(prefix + "svid", ours.number, theirs.svid, absent: 0)
        compare(prefix + "sigid", ours.signalBand, theirs.sigid, absent: 0)
        compare(prefix + "freqid", ours.frequencySlot, theirs.freqid, absent: -1)
        compare(prefix + "health", ours.health?.rawValue, theirs.health, absent: 0)
        compare(prefix + "used", ours.isUsed, theirs.used)
        compare(prefix + "el", ours.elevation, plausible(theirs.elevation, .el))
        compare(prefix + "az", ours.azimuth, plausible(theirs.azimuth, .az))
        // A satellite that is not heard has a signal of 0 in libgps.
        compare(prefix + "ss", ours.signal, theirs.signal == 0 ? .nan : plausible(theirs.signal, .ss))
    }

    /// Returns a number of libgps, which keeps implausible ones too, or NaN for one of those.
    private func plausible(_ number: Double, _ field: PhysicalField) -> Double {
        field.range ~= number ? number : .nan
    }

    private mutating func add(_ ours: DeviceReport, _ theirs: locwatch_oracle_device, _ prefix: String) {
        compare(text: prefix + "path", ours.path, theirs.path)
        compare(text: prefix + "driver", ours.driver, theirs.driver)
        compare(text: prefix + "subtype", ours.subtype, theirs.subtype)
        compare(text: prefix + "subtype1", ours.subtype1, theirs.subtype1)
        compare(prefix + "activated", ours.activated, theirs.activated_seconds, theirs.activated_nanoseconds)
        compare(setting: prefix + "bps", ours.bps, theirs.baudrate)
        compare(setting: prefix + "stopbits", ours.stopbits, theirs.stop_bits)
        if let parity = ours.parity {
            compare(prefix + "parity", parity, String(UnicodeScalar(UInt8(bitPattern: theirs.parity))))
        }
    }

    private mutating func add(_ ours: DevicesReport, _ theirs: [locwatch_oracle_device]) {
        compare("devices", ours.devices.count, theirs.count)
        for (index, (ours, theirs)) in zip(ours.devices, theirs).enumerated() {
            add(ours, theirs, "devices[\(index)].")
        }
    }

    private mutating func add(_ ours: VersionReport, _ theirs: locwatch_oracle_version) {
        compare(text: "release", ours.release, theirs.release)
    }
}

extension TPVReport {
    /// The number with one of gpsd's names.
    subscript(name: String) -> Double? { Location.Field(name: name).flatMap { self[$0] } }
}
