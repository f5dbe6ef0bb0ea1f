package import GPSDReports
import Glibc
package import LocationCore
import LocationTracks
import LocwatchSupport

/// A recorded session, in a file or on standard input: gpsd's JSON, or the raw log of a receiver.
package struct RecordedSource: Source {
    private static let prefix = "replay:"
    private static let logPrefix = "raw:"
    package static let prefixes = [prefix, logPrefix]
    package static let help = [
        (
            term: "FILE, -, replay:FILE",
            meaning:
                "a recorded session or a receiver's raw log (NMEA, UBX, SiRF, ...), from a file or standard input; "
                + "also as .gz, .xz or .zst"
        ),
        (term: "raw:FILE", meaning: "a receiver's raw log, whatever it begins with"),
        (
            term: "FILE.gpx, FILE.kml, FILE.geojson",
            meaning: "a track of any program, recognized by its content; --speed gives times to points without one"
        ),
    ]

    /// The longest interval between two points of a track; a day apart, they are those of different journeys.
    package static let longestInterval = Duration.seconds(86_400)

    /// The path of the file; `-` is standard input.
    package let path: String
    /// Whether the file is a receiver's log, whatever it begins with.
    let isLog: Bool
    private let fleetMark = FleetMark()

    init(path: String, isLog: Bool = false) {
        self.path = path
        self.isLog = isLog
    }

    package static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool {
        if word == "-" || exists(word) { return true }
        // A missing track is a missing file, and not a host.
        return !word.containsBytes(of: "://") && (word.containsBytes(of: "/") || TrackKind.isNamed(by: word))
    }

    package init(_ word: String, prefix: String) throws(UsageError) {
        isLog = prefix == Self.logPrefix
        guard !word.isEmpty else {
            throw .source(prefix, "expected a file name, as in \(isLog ? "raw:drive.nmea" : "replay:drive.json")")
        }
        path = word
    }

    /// Whether the file is a track; that of a pipe cannot be known before it is read.
    package var isTrack: Bool {
        guard path != "-" else { return false }
        let beginning = RecordingSource.beginning(ofFile: path)
        guard !beginning.isEmpty else { return TrackKind.isNamed(by: path) }
        return beginning.withUnsafeBytes { TrackKind(beginning: $0, name: path) != nil }
    }

    package var isLive: Bool { false }
    package var takesSpeed: Bool { true }
    package var playable: PlayableSource? { .recording(self) }
    package var isFleet: Bool { path != "-" && !isLog && fleetMark.isIn(path) }
    package var description: String { (isLog ? Self.logPrefix : Self.prefix) + path }
    package var place: String { path == "-" ? "standard input" : path }
    package func connection(to daemon: String) -> String { "playing \(place), from \(daemon)" }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        // A file plays at its recorded pace. The pace of a pipe and of a file that is followed is that of its writer.
        let reading = reading(settings, now: (options.clock ?? .system()).now.wall)
        if path == "-" {
            return ReplayProvider(
                .descriptor(STDIN_FILENO), pace: settings.pace ?? .max, reading: reading, options: options)
        }
        guard access(path, R_OK) == 0 else { throw .unreadable(path, errno) }
        let pace = settings.pace ?? (reading.follows ? .max : .recorded)
        return ReplayProvider(.path(path), pace: pace, reading: reading, options: options)
    }

    /// Returns the way in which the file is read; the points of a track without a time begin now.
    package func reading(_ settings: Settings, now: Timestamp) -> InputReading {
        var reading = InputReading()
        reading.isLog = isLog
        reading.follows = settings.followsFile && path != "-"
        reading.recognizer = .tracks(TimelessPoints(speed: settings.speed, start: now))
        return reading
    }

    /// The size of a regular file in bytes; another input cannot be read again.
    package var size: Int? {
        var status = stat()
        guard (path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }
}

/// A cache of whether a file is the recording of a fleet, because every line of output depends on it.
private final class FleetMark: Sendable {
    private let known = Lock(Bool?.none)

    /// Returns whether the first line of a file marks a fleet; it is read once, because a compressed file needs a program.
    func isIn(_ path: String) -> Bool {
        known.withLock { known in
            let answer = known ?? RecordingSource.path(path).isFleet
            known = answer
            return answer
        }
    }
}

extension RecordedSource {
    package func isSameFile(as other: String) -> Bool {
        var (own, theirs) = (stat(), stat())
        guard (path == "-" ? fstat(STDIN_FILENO, &own) : stat(path, &own)) == 0, stat(other, &theirs) == 0 else {
            return false
        }
        return own.st_dev == theirs.st_dev && own.st_ino == theirs.st_ino && own.st_mode & S_IFMT == S_IFREG
    }
}

extension SourceWord {
    package static func recording(path: String) -> SourceWord { SourceWord(RecordedSource(path: path)) }
}
