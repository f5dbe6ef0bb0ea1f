import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchTerminal

/// A consumer that keeps the states of the session's fences in a file, with which the next session begins.
///
/// The file is written after each event, but at most twice a second; `FenceStateFile` says what is left after a kill and a power cut.
/// An event is in the output before it is in the file, so that a program that is killed between the two gives it again.
final class FenceKeeper: FileKeeper {
    /// The shortest interval at which the file is written, which limits the writes for a fleet of many devices.
    private static let shortest = Duration.milliseconds(500)

    /// The fences of the session, in the states that the file had.
    let fences: FenceList
    private let file: FenceStateFile
    let kept: KeptFile
    /// The number of events that are in the file.
    private var saved = 0

    /// Opens the file before the program is confined, or returns `nil` if the settings name none.
    init?(_ settings: Settings, _ narrator: Narrator) throws(OutputFailure) {
        guard let path = settings.reactions.fenceState else { return nil }
        do throws(TrackFileError) { file = try FenceStateFile(path) } catch { throw .track(error) }
        let records = file.records(of: settings.fences, namesDevices: settings.source.isFleet)
        fences = FenceList(restoring: records, dwellAfter: Settings.usualStay)
        kept = KeptFile(every: nil, atMostEvery: Self.shortest, narrator)
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        if fences.eventCount != saved { kept.change() }
        return nil
    }

    /// The writing of the newest records, if they are not in the file.
    var writing: KeptFile.Writing? {
        let count = fences.eventCount
        guard count != saved || kept.hasFailed else { return nil }
        saved = count
        return { [file, fences] () throws(OutputFailure) in
            do throws(TrackFileError) { try file.write(fences.records) } catch { throw .track(error) }
        }
    }
}
