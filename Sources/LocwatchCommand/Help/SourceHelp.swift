import GPSDSimulation

/// The forms of the SOURCE word, as help and manual list them.
enum SourceHelp {
    static var rows: [(term: String, meaning: String)] {
        [
            ("(nothing)", "the gpsd of this machine, localhost:2947"),
            ("HOST, HOST:PORT, HOST:PORT:DEVICE", "a gpsd; an IPv6 address stands in brackets"),
            ("gpsd://HOST:PORT", "the same, in full"),
            ("/dev/ttyACM0", "a serial receiver, read through a private gpsd"),
            ("serial:/dev/ttyACM0?speed=9600", "the same, at a speed"),
            ("FILE, -, replay:FILE", "a recorded session, from a file or standard input"),
            ("sim:NAME", "a simulated receiver: \(ReceiverScenario.all.map(\.name).joined(separator: ", "))"),
        ]
    }

    static let rule =
        "A word that starts with /dev/ is a device; one that names an existing file, contains a slash or is - is a "
        + "recording; anything else is a host. An explicit scheme settles it."
}
