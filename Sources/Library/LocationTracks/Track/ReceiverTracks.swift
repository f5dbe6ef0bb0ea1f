package import LocationCore
import LocwatchSupport

/// An assembler of one track for each receiver of a session; see `TrackAssembler`.
package struct ReceiverTracks: Sendable {
    /// The number of locations left out because there were too many receivers.
    package private(set) var leftOut = 0

    private let keepsSatellites: Bool
    private let limit: Int
    private var assemblers = PerDevice<TrackAssembler>()

    /// Creates an assembler without tracks.
    ///
    /// - Parameters:
    ///   - keepsSatellites: See `TrackAssembler.init`.
    ///   - limit: The maximum number of receivers with a track; the positions of others are left out.
    package init(keepsSatellites: Bool = false, limit: Int) {
        self.keepsSatellites = keepsSatellites
        self.limit = limit
    }

    /// Processes an update, and calls `add` with each element that it adds to a receiver's track.
    package mutating func process(_ update: TrackedUpdate, _ add: (String?, consuming TrackElement) -> Void) {
        switch update {
        case .transition, .handover, .fence, .integrity, .failureEnded: break
        case .deviceTransition(let transition): pass(update, to: transition.device, add)
        case .update(let event, _):
            switch event.event {
            case .location, .satellites, .device: pass(update, to: event.event.device, add)
            case .searching(_, let device?): pass(update, to: device, add)
            case .notice(let notice):
                switch notice.content {
                case .dropped: for device in assemblers.devices { pass(update, to: device, add) }
                // Tracks of a file that name no receiver.
                case .track: pass(update, to: nil, add)
                default: break
                }
            case .searching, .failure, .attitude, .receiver, .clock, .authorization, .line, .other: break
            }
        }
    }

    private mutating func pass(
        _ update: TrackedUpdate, to device: String?, _ add: (String?, consuming TrackElement) -> Void
    ) {
        guard assemblers.count < limit || assemblers[device] != nil else {
            if case .update(let event, _) = update, case .location = event.event { leftOut += 1 }
            return
        }
        let place = assemblers.place(
            of: device, default: TrackAssembler(of: .receiver(device), keepsSatellites: keepsSatellites))
        assemblers[place: place].process(update) { add(device, $0) }
    }
}
