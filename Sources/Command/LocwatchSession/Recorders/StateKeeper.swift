import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// A consumer that keeps the distance of the session and the states of its fences in a file, with which the next session begins.
///
/// The file is written every 15 seconds on the way, when the machine stops, after each event of a fence, and at the end; a receiver that
/// stands costs no write. Each write waits for the disk twice, which with each epoch would wear an SD card out. An event is in the
/// output before it is in the file, so that a program that is killed between the two gives it again. `StateFile` says what is left after a
/// kill and a power cut.
final class StateKeeper: SessionConsumer {
    /// The interval at which the file is written on the way, which is the most that a kill can lose.
    private static let shortestOnTheWay = Duration.seconds(15)
    /// The shortest interval after events, which limits the writes for a fleet of many devices.
    private static let shortestAfterEvents = Duration.milliseconds(500)
    /// The time without a way after which the machine has stopped.
    private static let stop = Duration.seconds(2)

    /// The fences of the session, in the states that the file had, or `nil` if it has none, so that the file keeps its own.
    let fences: FenceList?
    /// The distance in metres with which the session begins, or `nil` for a fleet, which has none.
    let beginning: Double?
    let kept: KeptFile
    private let file: KeptStateFile
    /// The newest reading, and the one that was written last.
    private var reading: OdometerReading
    private var saved: OdometerReading
    /// The number of events that are in the file.
    private var savedEvents = 0
    /// The session time of the last position that added to the distance.
    private var lastMotion: Duration?

    /// Opens the file before the program is confined, or returns `nil` if the settings name none.
    init?(
        _ settings: Settings, _ narrator: Narrator, now: @escaping () -> ContinuousClock.Instant = { .now }
    ) throws(OutputFailure) {
        guard let path = settings.reactions.state else { return nil }
        do throws(TrackFileError) { file = try KeptStateFile(path) } catch { throw .track(error) }
        reading = file.beginning.odometer
        saved = reading
        beginning = settings.source.isFleet ? nil : reading.metres
        let records = file.records(of: settings.fences, namesDevices: settings.source.isFleet)
        fences = records.isEmpty ? nil : FenceList(restoring: records, dwellAfter: Settings.usualStay)
        kept = KeptFile(every: nil, narrator, now: now)
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        if beginning != nil { measure(update, view) }
        if let fences, fences.eventCount != savedEvents { kept.change(atMostEvery: Self.shortestAfterEvents) }
        return nil
    }

    private func measure(_ update: TrackedUpdate, _ view: SessionView) {
        if let metres = view.distance, metres > reading.metres {
            reading = OdometerReading(
                metres: min(metres, OdometerReading.metres.upperBound),
                time: update.position?.location.timestamp ?? update.moment.wall)
            lastMotion = update.moment.elapsed
            kept.change(atMostEvery: Self.shortestOnTheWay)
        } else if let last = lastMotion, update.position != nil, update.moment.elapsed - last >= Self.stop {
            lastMotion = nil
            if reading != saved { kept.hurry() }
        }
    }

    func prepare(_ wait: inout SessionWait) { kept.prepare(&wait) { writing } }

    func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        kept.serve(ready)
        return nil
    }

    func linger(_ ending: Ending) -> Bool { kept.linger(ending) { writing } }

    /// The writing of the newest state, if it is not in the file.
    private var writing: KeptFile.Writing? {
        let events = fences?.eventCount ?? 0
        guard reading != saved || events != savedEvents || kept.hasFailed else { return nil }
        (saved, savedEvents) = (reading, events)
        return { [file, fences, reading] () throws(OutputFailure) in
            let state = KeptState(odometer: reading, fences: fences?.records ?? file.beginning.fences)
            do throws(TrackFileError) { try file.write(state) } catch { throw .track(error) }
        }
    }
}
