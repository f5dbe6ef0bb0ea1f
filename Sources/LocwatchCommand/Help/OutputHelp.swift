import LocationTracks

/// The explanation of the output in the help and the manual page.
enum OutputHelp {
    static let streams =
        "Positions and changes of state go to standard output, one line each. Text has one line for the start of a "
        + "search, one for the fix, and lines for receivers and most notices after the first fix; --verbose prints every "
        + "step. Standard error has failures after which the session continues, unless the output is a terminal; "
        + "messages of locwatch, which begin with its name, such as how many lines of a recording were skipped; and the "
        + "status line of a terminal, until a program in a pipe has got data, which it may show there."

    /// A position in text.
    static let example = "14:02:31  45.0736120    7.6804310  ±5.4 m    264 m   1.2 m/s  142°   9/16"

    /// The columns of a position in text, in their order.
    static let columns: [(term: String, meaning: String)] = [
        (
            "14:02:31",
            "the time of the position by the receiver's clock, or of the report if the receiver has no time"
        ),
        ("45.0736120", "latitude in degrees, negative south of the equator"),
        ("7.6804310", "longitude in degrees, negative west of Greenwich"),
        ("±5.4 m", "the horizontal accuracy, as estimated by the receiver or gpsd"),
        ("264 m", "the altitude above mean sea level, or after hae above the ellipsoid, if only that is known"),
        ("1.2 m/s", "the speed over the ground"),
        ("142°", "the course: the direction of movement in degrees from true north, clockwise"),
        ("9/16", "satellites used in the fix, and satellites seen"),
        ("2D", "the fix is one in two dimensions; an altitude is not measured"),
        ("revised", "a later report of an already reported epoch, which changes or adds something"),
        (
            "late",
            "the receiver has already reported a later epoch, or a device of a fleet has sent it more than ten minutes after its "
                + "time"
        ),
        ("-", "an unknown value"),
    ]

    static let paragraphs = [
        "A line is never wider than the terminal: the columns course, "
            + "satellites, speed, altitude and accuracy are dropped in this order, then the words behind them from the end; paths and "
            + "names are shortened in the middle. Without a terminal nothing is dropped or shortened. A line with the date comes first and at midnight. Times have fractions if a "
            + "receiver reports more than once a second.",
        "A live session does not wait for a slow reader or a stopped terminal: when 256 KiB wait, the oldest lines are dropped, "
            + "positions first, and a notice counts them.",
        "Other properties of the fix, such as dead reckoning, precede revised; if several receivers report, "
            + "the line ends with the receiver's path. Positions are those of the current receiver, which is the best one; "
            + "--all-devices prints every receiver, and each line of a state names its receiver.",
        "Other lines have a word in place of the latitude: searching, found and error are states; sky, device, "
            + "fence and notice are events. Their time is when locwatch noticed them; that of the first search is the beginning "
            + "of the session, and that of sky the receiver's, if known.",
        "CSV has the columns in its header, with the names of templates and JSON, in --csv and in the files of "
            + "export; an unknown value is empty. The column segment counts the parts without an interruption, "
            + "revision the later reports of an epoch. --columns selects other columns: "
            + CSVColumns.known.joined(separator: " ") + ". GPSBabel reads the standard columns as unicsv.",
        "With --sky, CSV lists satellites instead of positions: gnss is the system, svid the number in it, prn the "
            + "receiver's own number, el and az the elevation and azimuth in degrees, ss the signal in dB-Hz, and used "
            + "whether the fix uses it.",
    ]
}
