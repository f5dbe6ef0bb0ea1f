import LocationCore
import GPSDProtocol

/// A message of a fleet's device, decoded from OwnTracks, Home Assistant's attributes, or locwatch's own JSON.
enum FleetMessage: Hashable {
    /// A position, and what the message says besides it.
    case position(FleetReport)
    /// The device has no current position; the report has the last one.
    case noFix(FleetReport)
    /// The device has entered or left a fence that it monitors itself.
    case fence(FleetReport, name: String, FenceEvent.Kind)
    /// The device has connected to the broker.
    case online
    /// The device has disconnected from the broker, or was lost.
    case offline
    case other
    case unknown(cause: String)

    /// The maximum number of bytes of a message that is decoded; one with a picture can be much longer.
    private static let sizeLimit = 1 << 18

    /// Decodes a message.
    ///
    /// - Parameter reader: The reader of the session.
    init(_ payload: [UInt8], on topic: FleetTopic, _ reader: inout JSONObjectReader) {
        // An empty message removes a retained one.
        guard topic.kind != .other, !payload.isEmpty else {
            self = .other
            return
        }
        if topic.kind == .status {
            self = Self.status(payload)
            return
        }
        guard payload.count <= Self.sizeLimit else {
            self = .unknown(cause: "it has \(payload.count) bytes")
            return
        }
        var fields = FleetFields()
        do throws(ReportError) {
            try payload.withUnsafeBufferPointer { (bytes) throws(ReportError) in
                try reader.read(UnsafeRawBufferPointer(bytes)) { fields.read($0, $1) }
            }
        } catch {
            self = .unknown(cause: "\(error)")
            return
        }
        self = fields.message
    }

    private static func status(_ payload: [UInt8]) -> FleetMessage {
        if payload.elementsEqual("online".utf8) { return .online }
        if payload.elementsEqual("offline".utf8) { return .offline }
        // OwnTracks publishes the settings of the app on this topic.
        return payload.first == UInt8(ascii: "{") ? .other : .unknown(cause: "its status is neither online nor offline")
    }
}

/// A position of a fleet's device, and what the same message says about the device.
struct FleetReport: Hashable {
    /// The position, without the name of its device.
    var location: Location
    /// The charge of the battery in percent.
    var battery: Int?
    /// The number of satellites in view.
    var seen: Int?
    /// The number of satellites in use.
    var used: Int?
}
