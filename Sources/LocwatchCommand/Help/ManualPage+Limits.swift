extension ManualPage {
    /// Appends the limits of what is read.
    static func limits(_ page: inout Roff) {
        page.section("LIMITS")
        page.text("No input costs memory or time out of proportion to its size:")
        page.terms(limits)
    }

    private static let limits = [
        (
            "compressed files",
            "a file that expands to more than 256 MB and to more than 24 times its size is refused, where each report counts "
                + "100 bytes in addition; 'serve' needs a recording in memory and refuses one that expands to more than 32 MB; "
                + "xz gets at most 100 MB of memory; a file that is trusted can be decompressed before"
        ),
        (
            "tracks",
            "the first 100,000 points of a GPX, KML or GeoJSON file with several receivers, and of a track that begins with its newest "
                + "point, are read in the order of their times, and further ones and those of a CSV in that of the file; a line of GeoJSON may have 1,000,000 points, and a gx:Track of KML 1,000,000 times before their positions or 50,000 "
                + "positions before their times; points of one receiver with the same time at different places are spread over a "
                + "second; of a CSV the time, the position, its accuracy and quality, the motion and the device are read, of "
                + "its other columns only the dilutions and the numbers of satellites"
        ),
        (
            "receivers",
            "256 receivers of a gpsd and 40,000 devices of a fleet are followed, and the others are ignored with a message; "
                + "stats has figures of their own for 10,000 devices"
        ),
        (
            "NMEA",
            "the satellites of Galileo and BeiDou have numbers from 301 and 401 on in the GSA sentences of publish, export and serve, because "
                + "gpsd 3.22 takes lower ones for those of GPS; in GSV they have the numbers of their systems"
        ),
        ("lists", "512 devices or satellites of a report are read"),
    ]
}
