import Foundation
import LocationCore

@testable import GPSDProtocol

/// The reason why a line must not be given to libgps, or why its result is meaningless.
enum HazardousLine: String, CaseIterable {
    case fiveDevices = "libgps never returns from a DEVICES report of more than four devices"
    case unknownKey = "libgps gives up at a value that it does not expect, or never returns from it"
    case spaceBeforeClass = "libgps drops a message with a space before its class"
    case longString = "libgps refuses a string that is longer than its buffer"
    case deactivated = "libgps refuses a DEVICE whose activated is the number 0"
    case unreadableTime = "libgps reads an unreadable time as a date in 1904 or 1969"

    init?(_ line: String, decodedAs report: GPSDReport) {
        var devices: [DeviceReport] = []
        let object = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
        var keys: [String] = []
        var time: Timestamp?
        switch report {
        case .devices(let list):
            devices = list.devices
            if devices.count > 4 {
                self = .fiveDevices
                return
            }
            keys = DevicesReport.Key.allCases.map(\.rawValue)
        case .device(let device):
            devices = [device]
            keys = DeviceReport.Key.allCases.map(\.rawValue)
        case .tpv(let tpv): (keys, time) = (TPVReport.Key.allCases.map(\.rawValue), tpv.time)
        case .sky(let sky): (keys, time) = (SKYReport.Key.allCases.map(\.rawValue), sky.time)
        case .gst(let gst): (keys, time) = (GSTReport.Key.allCases.map(\.rawValue), gst.time)
        case .version: keys = VersionReport.Key.allCases.map(\.rawValue)
        default: keys = Array(object.keys)
        }
        keys += Self.skipped
        let hasTime = keys.contains("time") && object["time"].map { !($0 is NSNull) } == true
        if hasTime && time == nil || devices.contains(where: \.activatedIsUnreadable) {
            self = .unreadableTime
        } else if Self.isUnexpected(object, keys) {
            self = .unknownKey
        } else if !line.contains(#""class":"#) || line.contains(#""class": "#) {
            self = .spaceBeforeClass
        } else if (object["devices"] as? [[String: Any]] ?? [object]).contains(where: { $0["activated"] as? Int == 0 })
        {
            self = .deactivated
        } else if devices.contains(where: \.hasLongString) {
            self = .longString
        } else {
            return nil
        }
    }

    /// The keys that libgps reads, and the project's decoder skips.
    private static let skipped = [
        "alt", "rev", "proto_major", "proto_minor", "remote", "flags", "hexdata", "sernum", "native", "mincycle",
        "readonly",
    ]
    /// The keys of texts; the values of all others are numbers, truth values or lists of objects.
    private static let texts: Set = [
        "class", "device", "time", "datum", "path", "driver", "hexdata", "subtype", "subtype1", "sernum", "parity",
        "release", "rev", "remote",
    ]
    /// The keys of lists with the keys of their elements.
    private static let lists = [
        "satellites": SatelliteKey.allCases.map(\.rawValue),
        "devices": DeviceReport.Key.allCases.map(\.rawValue) + skipped,
    ]

    /// Returns whether an object has a key or a type of a value that libgps does not expect.
    private static func isUnexpected(_ object: [String: Any], _ keys: [String]) -> Bool {
        object.contains { key, value in
            if value is NSNull || key == "class" { return false }
            guard keys.contains(key) else { return true }
            if let list = lists[key] {
                guard let elements = value as? [[String: Any]] else { return true }
                return elements.contains { isUnexpected($0, list) }
            }
            // Some releases write these as a number or a truth value, and others as a text.
            if ["activated", "readonly"].contains(key) { return false }
            return texts.contains(key) ? !(value is String) : !(value is NSNumber)
        }
    }
}

extension DeviceReport {
    fileprivate var hasLongString: Bool {
        [(path, 128), (driver, 64), (subtype, 128), (subtype1, 128)].contains { ($0?.utf8.count ?? 0) >= $1 }
    }
}
