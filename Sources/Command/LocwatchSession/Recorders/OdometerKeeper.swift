import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchTerminal

/// A consumer that keeps the distance of the session in the file of an odometer, from which the next session goes on.
///
/// The file has the sum of an epoch as a whole. It is written every 15 seconds on the way, when the machine stops, and at the end; a
/// receiver that stands costs no write. Each write waits for the disk twice, which with each epoch would wear an SD card out.
/// `OdometerFile` says what is left after a kill and a power cut.
final class OdometerKeeper: FileKeeper {
    /// The interval at which the file is written on the way, which is the most that a kill can lose.
    private static let shortest = Duration.seconds(15)
    /// The time without a way after which the machine has stopped.
    private static let stop = Duration.seconds(2)

    private let file: OdometerFile
    let kept: KeptFile
    /// The newest reading, and the one that was written last.
    private var reading: OdometerReading
    private var saved: OdometerReading
    /// The session time of the last position that added to the distance.
    private var lastMotion: Duration?

    /// The distance in metres with which the session begins.
    var beginning: Double { file.beginning.metres }

    /// Opens the file before the program is confined, or returns `nil` if the settings name none.
    init?(
        _ settings: Settings, _ narrator: Narrator, now: @escaping () -> ContinuousClock.Instant = { .now }
    ) throws(OutputFailure) {
        guard let path = settings.reactions.odometer else { return nil }
        do throws(TrackFileError) { file = try OdometerFile(path) } catch { throw .track(error) }
        (reading, saved) = (file.beginning, file.beginning)
        kept = KeptFile(every: nil, atMostEvery: Self.shortest, narrator, now: now)
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        if let metres = view.distance, metres > reading.metres {
            reading = OdometerReading(
                metres: min(metres, OdometerFile.metres.upperBound),
                time: update.position?.location.timestamp ?? update.moment.wall)
            lastMotion = update.moment.elapsed
            kept.change()
        } else if let last = lastMotion, update.position != nil, update.moment.elapsed - last >= Self.stop {
            lastMotion = nil
            if reading != saved { kept.hurry() }
        }
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
