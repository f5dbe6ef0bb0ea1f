import LocationCore
import GPSDProtocol

/// The reports that one client has asked for.
struct WatchPolicy: Hashable, Sendable {
    var isEnabled = false
    var json = false
    var nmea = false
    var raw = 0
    var scaled = false
    var timing = false
    var split24 = false
    var pps = false
    var device: String?

    /// Applies a `?WATCH=` as gpsd 3.22 does.
    ///
    /// `json`, `nmea` and `raw` keep their values unless named. Watching begins unless the request disables it.
    mutating func apply(_ request: WatchReport) {
        isEnabled = request.enable ?? true
        json = request.json ?? json
        nmea = request.nmea ?? nmea
        raw = request.raw ?? raw
        scaled = request.scaled ?? false
        timing = request.timing ?? false
        split24 = request.split24 ?? false
        pps = request.pps ?? false
        device = request.device.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The `WATCH` report that answers the request.
    var report: String {
        #"{"class":"WATCH","enable":\#(isEnabled),"json":\#(json),"nmea":\#(nmea),"raw":\#(raw),"scaled":\#(scaled),"#
            + #""timing":\#(timing),"split24":\#(split24),"pps":\#(pps)"#
            + (device.map { #","device":\#(JSONText.quoted($0))"# } ?? "") + "}"
    }

    /// Returns whether the client gets a line.
    func wants(_ line: StandInRecording.Line) -> Bool {
        guard watches(line.device) else { return false }
        return switch line.kind {
        case .sentence: hasSentences
        case .pulse: json && pps
        case .report, .device: json
        case .devices: false
        }
    }

    /// Returns whether the client gets the NMEA sentences of a device.
    func wantsSentences(of device: String?) -> Bool { hasSentences && watches(device) }

    // The raw data of a receiver that speaks NMEA consists of its sentences.
    private var hasSentences: Bool { nmea || raw > 0 }

    private func watches(_ other: String?) -> Bool {
        guard let device, let other else { return isEnabled }
        return isEnabled && device == other
    }
}
