import LocationCore

extension MonitorDevice {
    var word: String {
        switch (state, reason) {
        case (.found, _): "found"
        case (.searching, .deviceLost): "offline"
        case (.searching, _) where located == nil: "searching"
        case (.searching, _): reason?.isSilence == true ? "stale" : "lost"
        case (.error, _): "error"
        case (.unknown, _): isRemembered ? "last known" : activity?.word ?? "unknown"
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
