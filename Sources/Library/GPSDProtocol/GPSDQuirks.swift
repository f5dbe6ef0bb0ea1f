/// The faults of gpsd, by release, for which the sources have code.
///
/// The code of a quirk asks for the member here, so that a member that is deleted with the last release that needs it names the code
/// to delete with it. Each states the releases in which it was seen, and a test that fails without the code.
package enum GPSDQuirks {
    // MARK: Devices

    /// gpsd lists an unplugged device as if it were only silent, and reports neither its loss nor its return.
    ///
    /// - Releases: 3.22.
    /// - Test: `a silent device is lost if it no longer exists on this machine, and silent on another`
    package static let listsUnplugged = true

    /// gpsd frees a missing device as soon as a client asks it anything, and then the device never comes back.
    ///
    /// Without questions it opens the device again, up to 64 seconds later, when a client polls and watches.
    ///
    /// - Releases: 3.22.
    /// - Test: `no command is sent while a local device is missing, because gpsd would free it`
    package static let freesMissingWhenAsked = true

    /// gpsd leaves a device alone that was unplugged and is back, until a client polls it and watches anew.
    ///
    /// - Releases: 3.22.
    /// - Test: `a silent daemon is asked, then woken, then given up`
    package static let wakingCommand = "?POLL;\n"

    /// gpsd does not always open a device again that was unplugged and is back, so that a private one is replaced.
    ///
    /// - Releases: 3.22 to 3.27.5.
    /// - Test: `an unplugged receiver is reported, and is read again when plugged in and free`
    package static let forgetsUnplugged = true

    /// gpsd does not tell its clients that it was started with `-b`, which its command line shows.
    ///
    /// - Releases: 3.22.
    /// - Test: `a gpsd of the system that was started with -b is refused`
    package static let hidesReadOnly = true

    /// The time in which gpsd tries the questions of several drivers on a device to which it may write, without answering.
    ///
    /// - Releases: 3.22; nine seconds were seen.
    /// - Test: `a gpsd that may write has the time to ask a receiver about its kind`
    package static let probing = Duration.seconds(30)

    // MARK: Streams

    /// gpsd does not notice the end of a connection to a stream, which is silent from then on.
    ///
    /// - Releases: 3.22.
    /// - Test: `a stream over TCP is opened again when its server has closed the connection`
    package static let missesEndOfStream = true

    /// Returns whether a gpsd that has answered the request for a stream connects to it in the background, and reports no failure.
    ///
    /// gpsd 3.22 answers `OK` when it is connected. Later releases answer with an object at once.
    ///
    /// - Releases: 3.25 and later.
    /// - Test: `a gpsd that answers with an object opens streams in the background`
    package static func opensInBackground(_ answer: [UInt8]) -> Bool { answer.first == UInt8(ascii: "{") }

    /// The time that gpsd takes for a caster: it asks for the table and for the stream, and reads each answer five or six seconds later.
    ///
    /// - Releases: 3.25.
    /// - Test: `a gpsd that opens a caster in the background has the time for that`
    package static let casterOpening = Duration.seconds(20)

    /// gpsd closes the connection to a caster when it has the table, and hears the one of the stream only if that has the same number.
    ///
    /// The number of the control connection is free by then, and the next client takes it if it has no smaller one. So a connection of
    /// a client must last as long as the daemon.
    ///
    /// - Releases: 3.25.
    /// - Test: `the password of a caster reaches the caster only`
    package static let confusesNumbersOfCasters = true

    // MARK: Logs

    /// The number of days by which gpsd moves a date before its own release, silently, also if the receiver states the whole date: 1,024
    /// weeks, after which the number of the week of GPS repeats.
    ///
    /// - Releases: 3.22 and later.
    /// - Test: `a date that gpsd has moved by 1,024 weeks is moved back, with one notice`
    package static let movedDays = 7168

    /// The line at which gpsd closes a log, as those of its own tests end with one; in the middle of a log nothing after it is read.
    ///
    /// - Releases: 3.22 and later.
    /// - Test: `a line at which gpsd would close a log becomes a comment, also in pieces`
    package static let endOfLog = "# EOF"

    /// gpsd reports an epoch twice if a sentence without a time, such as GSA, is the last one of it, and gives the reports of a log that
    /// states no date no time either.
    ///
    /// - Releases: 3.25.
    /// - Test: `the first epoch of a raw log is one position, also from a pipe`
    package static let repeatsUndatedEpochs = true

    // MARK: Reports

    /// The number of reports without a time that can be one epoch though nothing tells when they arrived, as in a raw log.
    ///
    /// - Releases: 3.22, of which six reports of an epoch were seen.
    /// - Test: `many reports of one coordinate and no time, as of a receiver that stands still, are separate epochs`
    package static let mostReportsOfEpoch = 8

    /// The names of the baseline that the manual lacks, and that later releases have replaced.
    ///
    /// - Releases: 3.22.
    /// - Test: `gpsd 3.22 has the baseline of RTK under other names than later releases`
    package static let baselineNames = (length: "relL", course: "relH")

    /// The difference from the time of the epoch at which the time of an attitude cannot be right: gpsd dates that of some u-blox
    /// receivers by a week that is years old.
    ///
    /// - Releases: 3.25.
    /// - Test: `the attitude of a time that is years away counts as one without a time`
    package static let wrongAttitudeTime = Duration.seconds(3600)
}
