import LocwatchArguments

/// The forms of the SOURCE word, as the help and the manual page list them.
enum SourceHelp {
    static var rows: [(term: String, meaning: String)] { SourceTable.all.flatMap { $0.help } }

    static let rule =
        "A word that starts with /dev/ is a device; one that names an existing file, contains a slash, ends like "
        + "the name of a file (.json, .gpx, .kml, .geojson, .csv, .tcx, .igc, .nmea, .ubx, .log, .sirf; also with .gz, "
        + ".xz or .zst) or is - is a file; anything else is a host. An explicit scheme or a port decides. A file is a "
        + "recording if its first 64 KiB have reports of gpsd and nothing of a receiver, a track if it begins like one, "
        + "and else the log of a receiver."
}
