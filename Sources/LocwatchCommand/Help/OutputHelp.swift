import LocationTracks

/// What comes out, as help and manual explain it.
enum OutputHelp {
    static let streams =
        "Positions and changes of state go to standard output, a line each. Text has one line for the start of a search, "
        + "whatever its steps are, one for the fix, and lines for receivers and notices after the first fix; --verbose "
        + "prints every step. Standard error has failures after which the session continues, if the output is no "
        + "terminal, what locwatch says of itself, behind its name, and the status line of a terminal."

    /// A position as text shows it.
    static let example = "14:02:31  45.0736120    7.6804310  ±5.4 m    264 m   1.2 m/s  142°   9/16"

    /// The columns of a position in text, in their order.
    static let columns: [(term: String, meaning: String)] = [
        (
            "14:02:31",
            "when the receiver was there, by its own clock; when the report came, where the receiver tells no time"
        ),
        ("45.0736120", "latitude in degrees, south of the equator negative"),
        ("7.6804310", "longitude in degrees, west of Greenwich negative"),
        ("±5.4 m", "the accuracy on the ground, as the receiver or gpsd estimates it"),
        ("264 m", "the altitude above the sea, or with hae in front above the ellipsoid, if only that is known"),
        ("1.2 m/s", "the speed over the ground"),
        ("142°", "the course: the direction of movement in degrees from true north, clockwise"),
        ("9/16", "satellites that the fix is made of, and that are seen"),
        ("2D", "the fix has no altitude"),
        ("revised", "a later report of an instant that was told already, which changes or adds something"),
        ("late", "the receiver had already told a later instant"),
        ("-", "in the place of what is not known"),
    ]

    static let paragraphs = [
        "A line is never wider than the terminal, and has 80 columns where there is none: columns are left out from the "
            + "course on, then speed, satellites and altitude, and paths and names are shortened in the middle. A line with "
            + "the date comes first and at midnight. Times have fractions if a receiver reports more than once a second.",
        "What else is known of the fix, such as dead reckoning, stands before revised; where several receivers report, "
            + "the line ends with the receiver's path. Positions are those of the current receiver, which is the best one; "
            + "--all-devices prints every receiver, and each line of a state names its own.",
        "Other lines have a word in the place of the latitude: searching, found and error are states, sky, device, "
            + "fence and notice what they say. Their time is when it was noticed; of sky it is the receiver's, if it tells it.",
        "CSV has the columns that its header names, under the names of templates and JSON, in --csv and in the files of "
            + "export alike; an unknown value is empty. The column segment counts the stretches without an interruption, "
            + "revision the later reports of an instant. --columns chooses others: "
            + CSVColumns.known.joined(separator: " ") + ". The standard ones are read by GPSBabel as unicsv.",
        "With --sky, CSV lists satellites instead of positions: gnss is the system, svid the number in it, prn the "
            + "receiver's own number, el and az the elevation and azimuth in degrees, ss the signal in dB-Hz, and used "
            + "whether the fix is made of it.",
    ]

    /// The columns in a few lines.
    static let brief =
        "The columns of text are time, latitude, longitude, ±accuracy, altitude (hae is above the "
        + "ellipsoid), speed, course in degrees from true north, and satellites used/seen; - is what is not known, "
        + "revised a later report of the same instant. The time of a position is the receiver's, that of a state is when "
        + "it was noticed. The manual page tells more under OUTPUT."
}
