package import LocationCore
import LocwatchTerminal

/// The text for a change of the current receiver.
package struct HandoverText {
    /// The text, as in `/dev/ttyUSB0 replaces /dev/ttyACM0: silent for 3 s`.
    package var words: String { words { $0 } }

    private let handover: Handover

    package init(_ handover: Handover) { self.handover = handover }

    /// Returns the text with each name passed through `shorten`.
    func words(_ shorten: (String) -> String) -> String {
        let change = "\(shorten(Self.name(handover.to))) replaces \(shorten(Self.name(handover.from)))"
        return switch handover.reason {
        case .better: "\(change): clearly better for \(ReceiverTrackers.challengeTime.spoken)"
        case .lost(let reason):
            if case .silent(let time) = reason {
                "\(change): silent for \(time.spoken)"
            } else {
                "\(change): \(ReasonText(reason).words)"
            }
        }
    }

    private static func name(_ device: String?) -> String { device?.printable ?? "an unnamed receiver" }
}
