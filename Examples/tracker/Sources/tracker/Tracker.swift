import LocationCore
import LocationTracks

/// A writer of the positions of a provider into a GPX file.
struct Tracker {
    var path: String
    /// The least distance between two points, in metres.
    var distance = 10.0

    /// Writes the track until the session ends or the task is cancelled, and returns the number of new points.
    func run(_ provider: some LocationProvider) async throws -> Int {
        let file = try TrackFile(path, .gpx, .init(creator: "tracker", name: "Track"))
        var assembler = TrackAssembler()
        for try await update in provider.tracked(for: LocationRequest(distanceFilter: distance)) {
            for element in assembler.process(update) { try file.process(element) }
        }
        try file.finish()
        return file.points
    }
}
