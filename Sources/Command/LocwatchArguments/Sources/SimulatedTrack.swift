import GPSDSimulation
import Glibc
import LocationCore
import GPSDProtocol
import LocationTracks

/// The path of a simulated receiver, read from a track.
struct SimulatedTrack {
    /// The number of points that are kept in memory.
    private static let limit = 1_000_000
    /// The longest pause between two segments; a longer one, such as a night, is shortened to it.
    private static let longestPause = Duration.seconds(10)

    let path: TrackPath

    /// Reads the track in a file; without a speed the receiver moves by the times of the points.
    init(_ file: String, speed: Double?, loops: Bool) throws(LocationError) {
        var reading = InputReading()
        reading.isPlain = true
        let input = try RecordingInput(file: file, reading: reading)
        defer { input.close() }
        guard input.fileSize != nil else {
            throw .unreadable(path: file, cause: "a simulated receiver needs a regular file that is not compressed")
        }
        let places = Places(speed: speed)
        try Self.read(input, of: file, into: places)
        guard let path = TrackPath(places.list, loops: loops) else {
            throw LocationError.malformedTrack("there is no point in it").ofTrack(file)
        }
        self.path = path
    }

    private static func read(_ input: RecordingInput, of file: String, into places: Places) throws(LocationError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var reader: TrackReader?
        while true {
            let piece = UnsafeRawBufferPointer(rebasing: buffer[..<(try input.read(into: buffer) ?? 0)])
            if reader == nil {
                guard let kind = TrackKind(beginning: piece, name: input.name) else {
                    throw .malformedTrack("it is not a track").ofTrack(file)
                }
                // The times are not used if there is a speed.
                let times = TimelessPoints(speed: places.speed, start: Timestamp(nanosecondsSince1970: 0))
                reader = try TrackReader(kind, of: file, times: times) { places.add($0) }
            }
            try reader?.read(piece)
            while reader?.hasMore == true { try reader?.resume() }
            guard places.list.count <= limit else {
                let advice = "write a simpler one with 'locwatch export gpx --simplify 1'"
                throw .malformedTrack("it has more than \(limit) points, too many for a simulated receiver; \(advice)")
                    .ofTrack(file)
            }
            if piece.isEmpty { return }
        }
    }

    /// The places of a path while they are read.
    private final class Places {
        let speed: Double?
        private(set) var list: [TrackPath.Place] = []
        private var last: (time: Timestamp, coordinate: Coordinate)?
        private var startsSegment = false
        /// The receiver of the first point, whose track the simulated receiver follows.
        private var device: String??

        init(speed: Double?) { self.speed = speed }

        func add(_ element: ReadElement) {
            switch element {
            case .gap(_, let other): startsSegment = startsSegment || device == nil || device == .some(other)
            case .message, .leftOut: break
            case .point(let point):
                guard point.location.fix != .none, let time = point.location.timestamp else { return }
                let followed = device ?? point.location.device
                device = followed
                guard point.location.device == followed else { return }
                let coordinate = point.location.coordinate
                list.append(
                    TrackPath.Place(
                        coordinate, altitude: point.location.altitudeMSL,
                        offset: (list.last?.offset ?? .zero) + step(to: coordinate, at: time)))
                last = (time, coordinate)
                startsSegment = false
            }
        }

        private func step(to coordinate: Coordinate, at time: Timestamp) -> Duration {
            guard let last else { return .zero }
            if let speed { return Duration(clampingSeconds: last.coordinate.distance(to: coordinate) / speed) }
            let step = max(.zero, time.since(last.time))
            return startsSegment || step >= TrackProvider.longestInterval
                ? min(step, SimulatedTrack.longestPause) : step
        }
    }
}
