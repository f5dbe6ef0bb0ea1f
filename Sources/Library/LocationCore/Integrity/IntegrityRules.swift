/// The thresholds of `IntegrityMonitor`, each with its source.
///
/// Metres, seconds and dB unless a name says otherwise. A value without a source is an estimate. A variable alone decides whether a
/// rule objects, so that a search over recordings of real receivers finds the value at which it would suspect one of them; the
/// article <doc:JudgingIntegrity> has the table with these figures.
package struct IntegrityRules: Hashable, Sendable {
    package init() {}

    // MARK: jump

    /// The fastest that a receiver of this market moves; export rules require receivers to stop at 1,000 knots (MTCR
    /// Annex 11.A.3), and airliners stay below 340 m/s.
    static let topSpeed = 515.0
    /// The speed that is assumed where none is reported; an airliner's.
    static let unknownSpeed = 340.0
    /// The hardest acceleration: 3 g, beyond that of racing cars and airliners.
    static let acceleration = 30.0
    /// The factor of the reported errors, which are 95 % values: three of them are six standard deviations.
    static let errorFactor = 3.0
    /// The speed with which the error of a place can grow: dead reckoning that is off by a tenth, at a motorway's speed.
    ///
    /// A reported error that grows faster does not excuse a jump.
    static let errorGrowth = 3.0
    /// The error that is assumed where none is reported: that of an old receiver under trees (GPS SPS Performance
    /// Standard 2020: 8 m at 95 % for the signal alone).
    package static let unknownError = 25.0
    /// The least duration of a chord along the positions, the time in which unexplained chords in a row count, and that of a line.
    static let chord = 0.95
    static let run = 10.0
    static let line = 60.0
    /// The way per metre of the integrated speed that is explained: speeds are rounded to 0.1 kn, and distances measured to 1 %.
    static let speedFactor = 1.02
    /// The interval of positions up to which a speed between them is not greater than both, and beyond it the acceleration
    /// with which it can be: 1 g, with which cars brake.
    static let steady = 1.5
    static let briskness = 10.0
    /// The error up to which a position is precise enough for a chord.
    static let precise = 100.0
    /// The greatest error that is believed of positions that are coarse for long, and the time after which they are.
    static let coarse = 1000.0
    static let coarseTime = 30.0
    /// The interval that is assumed between positions of a recording without times.
    static let unknownInterval = 1.0
    /// The unexplained distance that makes a jump; reflections in streets reach tens of metres.
    package var jump = 100.0
    /// The unexplained distance that is decisive.
    static let farJump = 1000.0
    /// The time after the first position, and after a pause, in which a receiver may correct itself.
    static let settling = 10.0
    /// The pause after which nothing is known of what happened, and speeds say nothing about the way.
    package static let pause = 10.0

    /// The speed of an ordinary journey, a motorway's, by which the place after a jump can be reached from the one before it, and
    /// the longest time for which it stays in doubt.
    static let travel = 30.0
    static let longestDoubt = 3600.0

    /// Returns the metres of a change of place that remain unexplained by the time between, the `error` (the sum of both
    /// places') and the `speed`: the greater of those reported before and after, negative if none is.
    package static func unexplained(_ distance: Double, in seconds: Double, speed: Double, error: Double) -> Double {
        let speed = speed < 0 ? unknownSpeed : speed
        let top = max(speed, min(topSpeed, speed + acceleration * seconds))
        return distance - top * seconds - errorFactor * error
    }

    // MARK: stillness and teleport

    /// The time by which the session's clock may be ahead of the receiver's between two positions so that the receiver's
    /// counts; an epoch is emitted at most 0.3 s late, and a serial line takes up to a second.
    static let ownTime = 1.5
    /// The longest time between two positions by the receiver's clock that counts.
    static let longestOwnTime = 86_400.0

    /// The radius within which a receiver stands still: the drift of a receiver under an open sky over minutes.
    private static let stillRadius = 15.0
    /// The mean speed up to which a receiver stands still, and that at which it moves again; walking is 1.4 m/s.
    static let stillSpeed = 0.6
    static let movingSpeed = 0.9

    /// Returns the distance from a place up to which a position can be that of a receiver that stands there, for statistics too.
    ///
    /// It is twice the error, because one position in twenty is farther away than its error, but an error that is not precise
    /// is not believed.
    package static func stillRadius(_ error: Double?) -> Double {
        guard let error else { return stillRadius }
        return error < precise ? max(stillRadius, 2 * error) : 2 * stillRadius
    }

    /// The time after which a receiver within the radius stands still.
    static let stillAfter = 60.0
    /// The times within which the mean speed and the anchor follow.
    static let speedTime = 8.0
    static let anchorTime = 100.0
    /// The speed with which a stay follows the errors of a receiver: 36 m in half an hour.
    static let errorDrift = 0.02
    /// The time of a stay, and since, that makes a change of place without a speed a teleport.
    static let teleportAfter = 600.0
    /// The share of a change of place from which on the speed explains it.
    static let explainedShare = 0.75
    /// The distance beyond the errors that makes a teleport, and the one that is decisive.
    package var teleport = 100.0
    static let farTeleport = 1000.0

    // MARK: frozen

    /// The time over which positions are compared with the speed, and the way that it explains at least.
    ///
    /// In tunnels receivers repeat a position with its speed for seconds.
    static let frozenTime = 120.0
    static let frozenWay = 500.0
    /// The share of that way that the positions move at most.
    package var frozen = 0.25

    // MARK: clock

    /// The leap that is ignored: a leap second with the jitter of messages.
    package var leap = 1.5
    /// The difference of GPS time and UTC, which a receiver may correct once it has the almanac (18 s since 2017).
    static let almanacLeap = 18.5
    /// The time within which a receiver has the almanac: 12.5 minutes (IS-GPS-200), and as much again for a lost page.
    static let almanacTime = 1500.0
    /// The age of a session at which a receiver knows its date.
    static let dateTime = 60.0
    /// The greatest drift of the session's clock against the receiver's: 1,000 ppm, while clocks of computers drift by 200
    /// at most and are slewed by 500.
    static let drift = 0.001
    /// The time within which a difference at the beginning of a session is followed.
    static let learning = 10.0
    /// The leap of the session's civil time at which another recording begins, and the least one of a receiver's clock.
    static let otherDay = 86_400.0
    static let otherYear = 366 * 86_400.0
    /// The time for which a clock must be behind; reports that were delayed catch up within it.
    static let behind = 10.0
    /// 1,024 weeks (IS-GPS-200: ten bits of week number), and the tolerance in which a difference is one.
    static let rollover = 1024.0 * 7 * 86_400
    static let rolloverTolerance = 86_400.0

    // MARK: signal, uniform, constellation and sky

    /// The fall of the strongest signals in dB; jammers of 10 mW take 10 to 15 dB at 100 m and more (Mitch et al., ION
    /// GNSS 2011), foliage takes less than 10.
    package var fall = 10.0
    /// The fall in dB of the strongest signals below their highest level of a receiver that stands still, however slow it is, and the
    /// decrease of that level in a window: 1 dB a minute, because satellites set.
    package var slowFall = 15.0
    static let setting = window / 60
    /// The rise above the low after which a fall is over.
    static let recovery = 5.0
    /// The number of signals that make a level.
    static let levelSignals = 4
    /// The length of a window over which levels and satellites are gathered; receivers list satellites every 1 to 5 s.
    static let window = 5.0
    /// The speed above which silence of all satellites is a tunnel rather than a jammer.
    static let tunnelSpeed = 3.0
    /// The spread of the signals in use, in dB, of a single transmitter, and the number of them; under an open sky the
    /// spread is 10 to 20 dB, by elevation (Akos, NAVIGATION 59(4), 2012, for the uniform power of a spoofer).
    package var spread = 2.0
    /// The spread beyond `spread` at which signals that were alike no longer are.
    static let spreadMargin = 1.0
    static let spreadSignals = 8
    /// The time for which signals must be alike.
    static let alike = 10.0
    /// The level of one system above the others in dB, the number of signals of both that tell it, and the time for which it must
    /// last; antennas for GPS alone take up to 10 dB from the others.
    package var imbalance = 12.0
    static let systemSignals = 5
    static let imbalanceTime = 120.0
    /// The share of the satellites in use that remain after a change of sky, at most, and the number of them.
    package var remaining = 0.3
    static let skySatellites = 5

    // MARK: height

    /// The fastest change of height: a fighter's climb; a parachutist falls with 60 to 140 m/s.
    package var climb = 350.0
    /// The change of height that is ignored, and the one beyond the limit that is decisive.
    package var height = 150.0
    static let farHeight = 3000.0
    /// The least height; the shore of the Dead Sea is at −430 m, and no open mine is deeper below sea level.
    static let deepest = -600.0
    static let decisivelyDeep = -3000.0

    // MARK: receiver

    /// The levels of u-blox' indicator of interference, of 255, and the rise above the lowest level seen; its manuals give
    /// no absolute value: the level is compared with one without interference (ZED-F9T integration manual 3.7.1.2).
    package var interference = 100
    package var interferenceRise = 50
    static let strongInterference = 200
    /// The states of an antenna in gpsd's numbering (`ant`).
    static let antennaFine = 1
    static let antennaOpen = 2
    static let antennaShort = 3

    // MARK: disagreement

    /// The distance beyond three times the errors at which two receivers disagree, and the one that is decisive.
    package var apart = 100.0
    /// The time for which they must have agreed before, and for which they must disagree.
    static let agreement = 60.0
    static let disagreement = 10.0
    /// The age up to which a position is compared.
    static let comparable = 3.0
    /// The number of receivers that are compared with each other.
    static let comparedReceivers = 4

    // MARK: verdicts

    /// The time for which a reason stays after it was last observed, so that a verdict does not flicker.
    static let hold = 60.0
    /// The longest time for which a fall of the signals stays a reason; afterwards it is the receiver's new place.
    static let longestFall = 300.0
}
