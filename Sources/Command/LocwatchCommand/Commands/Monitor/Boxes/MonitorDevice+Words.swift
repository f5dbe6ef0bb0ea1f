import LocationCore
import LocwatchPrinting

extension MonitorDevice {
    var word: String {
        switch state {
        case .found: StateWord.found
        case .searching: StateWord.searching(reason, hasPosition: located != nil)
        case .error: StateWord.error
        case .unknown: isRemembered ? StateWord.lastKnown : activity?.word ?? "unknown"
        }
    }

    var tint: CellStyle.Tint {
        switch state {
        case .found: .good
        case .searching: .waiting
        case .error: .bad
        case .unknown: .plain
        }
    }
}

extension DeviceStatus.Activity {
    fileprivate var word: String {
        switch self {
        case .unopenable: "unusable"
        case .babbling: "unreadable"
        case .unknown, .idle, .silent, .reporting, .gone: rawValue
        }
    }
}
