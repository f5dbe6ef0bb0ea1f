import LocationCore

/// A change of the current receiver, in words.
struct HandoverText {
    /// As in `/dev/ttyUSB0 replaces /dev/ttyACM0: silent for 3 s`.
    let words: String

    init(_ handover: Handover) {
        let (new, old) = (Self.name(handover.to), Self.name(handover.from))
        switch handover.reason {
        case .better: words = "\(new) replaces \(old): clearly better for \(DeviceTrackers.challengeTime.spoken)"
        case .lost(.silent(let time)): words = "\(new) replaces \(old): silent for \(time.spoken)"
        case .lost(let reason): words = "\(new) replaces \(old): \(ReasonText(reason).words)"
        }
    }

    private static func name(_ device: String?) -> String { device?.printable ?? "a receiver without a name" }
}
