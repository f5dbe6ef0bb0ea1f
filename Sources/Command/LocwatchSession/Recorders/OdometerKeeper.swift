import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchTerminal

/// A consumer that keeps the distance of the session in the file of an odometer, from which the next session goes on.
///
/// The file has the sum of an epoch as a whole, and is written after each epoch that adds to it, but at most twice a second; a receiver
/// that stands costs no write. `OdometerFile` says what is left after a kill and a power cut.
final class OdometerKeeper: FileKeeper {
    /// The shortest interval at which the file is written: each epoch of most receivers, and a limit for the others.
    private static let shortest = Duration.milliseconds(500)

    private let file: OdometerFile
    let kept: KeptFile
    /// The newest reading, and the one that was written last.
    private var reading: OdometerReading
    private var saved: OdometerReading

    /// The distance in metres with which the session begins.
    var beginning: Double { file.beginning.metres }

    /// Opens the file before the program is confined, or returns `nil` if the settings name none.
    init?(_ settings: Settings, _ narrator: Narrator) throws(OutputFailure) {
        guard let path = settings.reactions.odometer else { return nil }
        do throws(TrackFileError) { file = try OdometerFile(path) } catch { throw .track(error) }
        (reading, saved) = (file.beginning, file.beginning)
        kept = KeptFile(every: nil, atMostEvery: Self.shortest, narrator)
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        guard let metres = view.distance, metres > reading.metres else { return nil }
        reading = OdometerReading(
            metres: min(metres, OdometerFile.metres.upperBound),
            time: update.position?.location.timestamp ?? update.moment.wall)
        kept.change()
        return nil
    }

    /// The writing of the newest reading, if it is not in the file.
    var writing: KeptFile.Writing? {
        guard reading != saved || kept.hasFailed else { return nil }
        saved = reading
        return { [file, reading] () throws(OutputFailure) in
            do throws(TrackFileError) { try file.write(reading) } catch { throw .track(error) }
        }
    }
}
