import GPSDReports
import Glibc
import LocationCore
import LocationTracks

/// A recorded session, in a file or on standard input.
struct RecordedSource: Source {
    static let prefixes = ["replay:"]
    static let help = [
        (term: "FILE, -, replay:FILE", meaning: "a recorded session, from a file or standard input"),
        (
            term: "FILE.gpx, FILE.kml, FILE.geojson",
            meaning: "a track of any program, recognized by its content; --speed gives times to points without one"
        ),
    ]

    /// The longest interval between two points of a track; a day apart, they are those of different journeys.
    static let longestInterval = Duration.seconds(86_400)

    /// The path of the file; `-` is standard input.
    let path: String

    init(path: String) { self.path = path }

    static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool {
        if word == "-" || exists(word) { return true }
        // A missing track is a missing file, and not a host.
        return !word.containsBytes(of: "://") && (word.containsBytes(of: "/") || TrackKind.isNamed(by: word))
    }

    init(_ word: String, prefix: String) throws(UsageError) {
        guard !word.isEmpty else { throw .source(prefix, "expected a file name, as in replay:drive.json") }
        path = word
    }

    /// Whether the file is a track; that of a pipe cannot be known before it is read.
    var isTrack: Bool {
        guard path != "-" else { return false }
        let beginning = RecordingSource.beginning(ofFile: path)
        guard !beginning.isEmpty else { return TrackKind.isNamed(by: path) }
        return beginning.withUnsafeBytes { TrackKind(beginning: $0, name: path) != nil }
    }

    /// Returns the recognizer of tracks, whose points without a time begin now.
    func recognizer(_ settings: Settings, now: Timestamp) -> RecordingRecognizer {
        .tracks(TimelessPoints(speed: settings.speed, start: now))
    }

    var isLive: Bool { false }
    var isFleet: Bool { path != "-" && RecordingSource.path(path).isFleet }
    var description: String { "replay:\(path)" }
    var place: String { path == "-" ? "standard input" : path }
    func connection(to daemon: String) -> String { "playing \(place), from \(daemon)" }

    func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        let recognizer = recognizer(settings, now: (options.clock ?? .system()).now.wall)
        // A file plays at its recorded pace. The writer of a pipe determines its pace.
        if path == "-" {
            return ReplayProvider(
                .descriptor(STDIN_FILENO), pace: settings.pace ?? .max, options: options, recognizer: recognizer)
        }
        guard access(path, R_OK) == 0 else { throw .unreadable(path, errno) }
        return ReplayProvider(
            .path(path), pace: settings.pace ?? .recorded, options: options, recognizer: recognizer)
    }

    /// The size of the file in bytes, or `nil` if it is not a regular file.
    var size: Int? {
        var status = stat()
        guard (path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }
}

extension RecordedSource {
    /// Returns whether a path names the same file, so that writing to it would destroy the recording.
    func isSameFile(as other: String) -> Bool {
        var (own, theirs) = (stat(), stat())
        guard (path == "-" ? fstat(STDIN_FILENO, &own) : stat(path, &own)) == 0, stat(other, &theirs) == 0 else {
            return false
        }
        return own.st_dev == theirs.st_dev && own.st_ino == theirs.st_ino && own.st_mode & S_IFMT == S_IFREG
    }
}

extension SourceWord {
    static func recording(path: String) -> SourceWord { SourceWord(RecordedSource(path: path)) }

    /// The recording, if the source is one.
    var recording: RecordedSource? { source as? RecordedSource }
}
