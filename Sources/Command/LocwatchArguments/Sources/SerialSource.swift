import Glibc
package import LocationCore
import LocationPublishing
package import LocationGPSD

/// A receiver on a serial line of this machine, read through a private gpsd.
package struct SerialSource: SourceKind {
    package static let prefixes = ["serial:"]
    package static let help: KeyValuePairs = [
        "/dev/ttyACM0": "a serial receiver, read through a private gpsd",
        "serial:/dev/ttyACM0?speed=9600": "the same, at a given speed",
        "/dev/ttyACM0?corrections=URL":
            "a receiver with RTK, and the source of its corrections: ntrip://[USER@]HOST[:PORT]/MOUNTPOINT, "
            + "tcp://HOST:PORT, or the path of a named pipe; gpsd then writes to the receiver",
    ]

    /// The line speeds that gpsd supports.
    static let speeds = [300, 1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]

    private let path: String
    private var speed: Int?
    package private(set) var corrections: CorrectionsSource?
    /// The parameters as they were given, with a question mark before them.
    private let query: String

    /// A shell passes a file that is already open, such as that of `<(command)`, by a name in /dev.
    private static let openFiles = ["/dev/fd/", "/dev/stdin"]

    package static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool {
        if word.hasPrefix("/dev/") { return !openFiles.contains(where: word.hasPrefix) }
        let path = exists(word) ? word : SourceQuery(word).subject
        return !path.isEmpty && exists(path) && isDevice(path)
    }

    /// Returns whether a path outside of /dev leads to a device, as a link to a receiver does, and not to a file.
    private static func isDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }

    /// Returns the full path of a device that is named from the working directory.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)"
    }

    package init(_ word: String, prefix: String) throws(UsageError) {
        let query = SourceQuery(word)
        // A scheme takes only a full path.
        path = prefix.isEmpty ? Self.absolute(query.subject) : query.subject
        self.query = query.text
        func fault(_ reason: String) -> UsageError { .source(prefix + word, reason) }
        guard path.hasPrefix("/"), path.count > 1 else {
            throw fault("expected the full path of the device, as in serial:/dev/ttyACM0?speed=9600")
        }
        for item in query.items {
            switch item.name {
            case "corrections":
                do throws(UsageError) { corrections = try ValueSyntax.corrections.read(item.value ?? "") } catch {
                    throw UsageError("invalid corrections of SOURCE: \(error.message)")
                }
            case "speed":
                guard let speed = item.value.flatMap({ Int($0) }), Self.speeds.contains(speed) else {
                    throw fault("the speed must be \(EnglishList.or(Self.speeds.map(String.init)))")
                }
                self.speed = speed
            default:
                throw fault(
                    "only speed and corrections can follow the ?, as in serial:/dev/ttyACM0?speed=9600")
            }
        }
    }

    package var description: String { "serial:\(path)\(query)" }
    package var place: String { path }
    package var isLine: Bool { true }
    package var serialPath: String? { path }
    package var lineSpeed: Int? { speed }

    package func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        SerialReceiverSource(
            device: path, speed: speed, corrections: try settings.withPassword(corrections),
            mayWrite: settings.reading.rate != nil, options: options)
    }
}
