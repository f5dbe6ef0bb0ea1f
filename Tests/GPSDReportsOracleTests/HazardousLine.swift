import GPSDReports

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
        var hasUnknown = false
        var timeIsUnreadable = false
        switch report {
        case .devices(let list):
            devices = list.devices
            if devices.count > 4 {
                self = .fiveDevices
                return
            }
            hasUnknown = !list.unknownKeys.isEmpty || devices.contains { !$0.unknownKeys.isEmpty }
        case .device(let device):
            devices = [device]
            hasUnknown = !device.unknownKeys.isEmpty
        case .tpv(let tpv):
            hasUnknown = !tpv.unknownKeys.isEmpty
            timeIsUnreadable = tpv.timeIsUnreadable
        case .sky(let sky):
            hasUnknown = !sky.unknownKeys.isEmpty
            timeIsUnreadable = sky.timeIsUnreadable
        case .gst(let gst):
            hasUnknown = !gst.unknownKeys.isEmpty
            timeIsUnreadable = gst.timeIsUnreadable
        case .version(let version): hasUnknown = !version.unknownKeys.isEmpty
        default: break
        }
        if timeIsUnreadable || devices.contains(where: \.activatedIsUnreadable) {
            self = .unreadableTime
        } else if hasUnknown {
            self = .unknownKey
        } else if !line.contains(#""class":"#) || line.contains(#""class": "#) {
            self = .spaceBeforeClass
        } else if devices.contains(where: \.isDeactivated) {
            self = .deactivated
        } else if devices.contains(where: \.hasLongString) {
            self = .longString
        } else {
            return nil
        }
    }
}

extension DeviceReport {
    fileprivate var hasLongString: Bool {
        [(path, 128), (driver, 64), (subtype, 128), (subtype1, 128)].contains { ($0?.utf8.count ?? 0) >= $1 }
    }
}
