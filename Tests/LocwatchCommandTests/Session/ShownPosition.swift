import Foundation
import LocationCore

/// A position that something shows as the current one.
struct ShownPosition: Hashable {
    var device: String?
    var latitude: Double

    init(device: String?, latitude: Double) {
        self.device = device
        self.latitude = (latitude * 1e6).rounded() / 1e6
    }

    init(_ location: Location) { self.init(device: location.device, latitude: location.coordinate.latitude) }

    /// Creates the position of a line of JSON.
    init?(json line: [UInt8]?) throws {
        guard let line, let event = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
            let latitude = event["lat"] as? Double
        else { return nil }
        self.init(device: event["device"] as? String, latitude: latitude)
    }
}

/// A reader of JSON lines that shows the current position by what the lines say, as `Web/model.js` does.
struct LineReader {
    private var isFound = false
    private var current: String?
    private var positions: [String: ShownPosition] = [:]

    /// The position that is current.
    var shown: ShownPosition? { isFound ? current.flatMap { positions[$0] } : nil }

    /// Reads lines, which are those of a snapshot for a new reader unless they are news.
    mutating func read(_ lines: some Sequence<[UInt8]>, isNews: Bool) throws {
        for line in lines {
            guard let event = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else { continue }
            switch event["event"] as? String {
            case "start": self = LineReader()
            case "state": isFound = event["to"] as? String == "found"
            case "handover": if isNews { current = event["to"] as? String ?? "" }
            case "location":
                let standing = event["standing"] as? String ?? "current"
                guard standing != "late" else { continue }
                let device = event["device"] as? String ?? ""
                positions[device] = try ShownPosition(json: line)
                if standing == "current" { current = device }
            default: break
            }
        }
    }
}
