import LocationCore
import LocationGPSD

/// A receiver on a serial line of this machine, read through a private gpsd.
struct SerialSource: Source {
    static let prefixes = ["serial:"]
    static let help = [
        (term: "/dev/ttyACM0", meaning: "a serial receiver, read through a private gpsd"),
        (term: "serial:/dev/ttyACM0?speed=9600", meaning: "the same, at a given speed"),
    ]

    /// The line speeds that gpsd supports.
    static let speeds = [300, 1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]

    let path: String
    let speed: Int?

    init(path: String, speed: Int?) {
        self.path = path
        self.speed = speed
    }

    /// A shell passes a file that is already open, such as that of `<(command)`, by a name in /dev.
    private static let openFiles = ["/dev/fd/", "/dev/stdin"]

    static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool {
        word.hasPrefix("/dev/") && !openFiles.contains(where: word.hasPrefix)
    }

    init(_ word: String, prefix: String) throws(UsageError) {
        let parts = word.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix("/"), path.count > 1 else {
            throw .source(prefix + word, "expected the full path of the device, as in serial:/dev/ttyACM0?speed=9600")
        }
        guard parts.count == 2 else {
            self.init(path: String(path), speed: nil)
            return
        }
        let setting = parts[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard setting.count == 2, setting[0] == "speed" else {
            throw .source(prefix + word, "only a speed can follow the ?, as in serial:/dev/ttyACM0?speed=9600")
        }
        guard let speed = Int(setting[1]), Self.speeds.contains(speed) else {
            throw .source(prefix + word, "the speed must be \(EnglishList.or(Self.speeds.map(String.init)))")
        }
        self.init(path: String(path), speed: speed)
    }

    var isLive: Bool { true }
    var takesCorrections: Bool { true }
    var serialPath: String? { path }
    var description: String { "serial:\(path)" + (speed.map { "?speed=\($0)" } ?? "") }
    var place: String { path }
    func connection(to daemon: String) -> String { "reading \(place) through a private \(daemon)" }

    func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        SerialReceiverSource(
            device: path, speed: speed, corrections: try settings.correctionsWithPassword(), options: options)
    }
}

extension SourceWord {
    static func serial(path: String, speed: Int?) -> SourceWord { SourceWord(SerialSource(path: path, speed: speed)) }
}
