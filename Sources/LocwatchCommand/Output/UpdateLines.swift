import LocationCore
import LocationTracks
import LocwatchSupport

/// An encoder of updates as gpsd's JSON lines, for recording a provider without lines, such as a scripted one.
///
/// The lines contain positions with their satellites, and losses of the position.
struct UpdateLines {
    private var writer = TrackFormat.json.writer()
    private var skies = PerDevice<SkyView>()

    /// Returns the lines for an update, without line ends.
    mutating func lines(for update: TrackedUpdate) -> [ArraySlice<UInt8>] {
        var bytes: [UInt8] = []
        switch update {
        case .transition(let transition):
            if case .found = transition.from { writer.gap(.loss(transition), to: &bytes) }
        case .deviceTransition, .handover: break
        case .update(let update):
            switch update.event {
            case .location(let location):
                writer.append(TrackPoint(location, sky: skies[location.device]), to: &bytes)
            case .satellites(let sky): skies.set(sky, for: sky.device)
            case .searching, .failure, .device, .receiver, .authorization, .line, .notice: break
            }
        }
        return bytes.split(separator: UInt8(ascii: "\n"))
    }
}
