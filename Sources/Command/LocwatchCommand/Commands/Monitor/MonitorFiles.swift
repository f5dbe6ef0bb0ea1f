import LocationCore
import GPSDProtocol
import LocationTracks
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchSupport
import LocwatchTerminal

/// A file that the monitor writes in the background, so that a slow disk does not delay the screen.
struct MonitorFile: Sendable {
    private let path: String
    /// The outcome in words.
    private let writing: Background<String>

    /// Starts to write a file.
    ///
    /// - Parameter content: Makes the bytes; it runs on the other thread.
    init(path: String, _ content: sending @escaping () -> [UInt8]) throws(SystemFailure) {
        self.path = path
        writing = try Background {
            let bytes = content()
            do throws(OutputFailure) { try FileReplacement.write(bytes, to: path) } catch { return error.message }
            return "saved \(bytes.count) bytes in \(path)"
        }
    }

    /// An event that happens when the file is written or could not be.
    var done: Event { writing.done }

    /// The outcome in words.
    var words: String { writing.value ?? "\(path) is not saved" }

    /// Returns a name for a file that is made at a time, as in `locwatch-20261121-120431.json`.
    static func name(_ time: Timestamp, _ localTime: LocalTime, ending: String) -> String {
        let civil = localTime.civil(time)
        let date = TextBuffer.text { $0.put(date: civil) }.filter { $0 != "-" }
        let clock = TextBuffer.text { $0.put(clock: civil) }.filter { $0 != ":" }
        return "locwatch-\(date)-\(clock)\(ending)"
    }
}

extension MonitorState {
    /// The lines in memory as a recording.
    func recording(of source: SourceWord) -> [UInt8] {
        let lines = raw.recording
        guard let first = lines.first else { return [] }
        var encoder = RecordingEncoder(of: source, at: first.moment)
        for line in lines { encoder.append(line.bytes, at: line.moment) }
        return encoder.pop()?.bytes ?? []
    }

    /// A picture of the lines in memory: the track, its scatter, the satellites, and charts over time.
    func picture(of source: SourceWord, staleAfter: Duration?, units: Units) -> [UInt8] {
        var statistics = TrackStatistics(forPictures: true)
        var tracker = Tracker(staleAfter: staleAfter)
        var reader = RecordingReader(name: place)
        var updates = ReusedQueue<LocationUpdate>()
        // An empty piece ends the recording, which is one of this program's own and can be read.
        for piece in [recording(of: source), []] {
            piece.withUnsafeBytes { piece in
                do throws(LocationError) { try reader.read(piece, into: &updates) } catch {}
            }
        }
        for update in updates { for next in tracker.results(of: update) { statistics.process(next) } }
        return TrackPlot(statistics, title: place, in: units.plot).svg()
    }
}
