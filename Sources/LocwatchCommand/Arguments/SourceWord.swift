import GPSDSimulation
import LocationGPSD

/// Where a session comes from: the one word that every command takes.
enum SourceWord: Hashable, Sendable {
    case gpsd(GPSDEndpoint)
    case serial(path: String, speed: Int?)
    /// A recorded session; the path `-` is standard input.
    case recording(path: String)
    case simulator(name: String)

    /// The daemon of this machine.
    static let standard = SourceWord.gpsd(GPSDEndpoint())

    /// The line speeds that gpsd knows.
    static let lineSpeeds = [300, 1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]

    /// Reads a word; `exists` tells whether a path names something.
    init(_ word: String, exists: (String) -> Bool) throws(UsageError) {
        if word == "-" {
            self = .recording(path: word)
        } else if let colon = word.firstIndex(of: ":"), let scheme = Scheme(rawValue: String(word[..<colon])),
            scheme != .gpsd || word[colon...].hasPrefix("://")
        {
            self = try SourceWord.read(scheme, String(word[word.index(after: colon)...]), in: word)
        } else if word.hasPrefix("/dev/") {
            self = .serial(path: word, speed: nil)
        } else if exists(word) {
            self = .recording(path: word)
        } else if let colon = word.firstIndex(of: ":"), word[colon...].hasPrefix("://") {
            throw .source(
                word,
                "no source has the scheme \(word[..<colon]); there are gpsd://, serial:, replay: and sim:")
        } else if word.contains("/"), !SourceWord.namesDeviceOfHost(word) {
            self = .recording(path: word)
        } else {
            self = try .daemon(word)
        }
    }

    private enum Scheme: String {
        case gpsd, serial, replay, sim
    }

    private static func read(_ scheme: Scheme, _ rest: String, in word: String) throws(UsageError) -> SourceWord {
        switch scheme {
        case .gpsd: return try daemon(word)
        case .serial: return try serial(rest, in: word)
        case .replay:
            guard !rest.isEmpty else { throw .source(word, "the file is missing, as in replay:drive.json") }
            return .recording(path: rest)
        case .sim:
            let names = ReceiverScenario.all.map(\.name)
            guard names.contains(rest) else {
                let meant = Spelling.nearest(to: rest, among: names).map { "; did you mean sim:\($0)?" } ?? ""
                throw .source(word, "simulated receivers are \(EnglishList.and(names))\(meant)")
            }
            return .simulator(name: rest)
        }
    }

    private static func serial(_ rest: String, in word: String) throws(UsageError) -> SourceWord {
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix("/"), path.count > 1 else {
            throw .source(word, "give the full path of the device, as in serial:/dev/ttyACM0?speed=9600")
        }
        guard parts.count == 2 else { return .serial(path: String(path), speed: nil) }
        let setting = parts[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard setting.count == 2, setting[0] == "speed" else {
            throw .source(word, "after the ? there may be a speed only, as in serial:/dev/ttyACM0?speed=9600")
        }
        guard let speed = Int(setting[1]), lineSpeeds.contains(speed) else {
            throw .source(word, "a speed is one of \(EnglishList.or(lineSpeeds.map(String.init)))")
        }
        return .serial(path: String(path), speed: speed)
    }

    private static func daemon(_ word: String) throws(UsageError) -> SourceWord {
        guard let endpoint = try? GPSDEndpoint(parsing: word) else { throw .source(word, forms) }
        guard !endpoint.lacksBrackets(in: word) else {
            throw .source(word, "an IPv6 address stands in brackets, as in [::1] or [::1]:2947")
        }
        return .gpsd(endpoint)
    }

    private static let forms =
        "a gpsd is host, host:port or host:port:device, with a port from 1 to 65535, as in localhost:2947:/dev/ttyACM0"

    /// `host:port:/dev/…` holds slashes and is no path all the same.
    private static func namesDeviceOfHost(_ word: String) -> Bool {
        guard let slash = word.firstIndex(of: "/"), slash > word.startIndex else { return false }
        let before = word[..<slash]
        return before.hasSuffix(":") && (before.hasPrefix("[") || before.count { $0 == ":" } == 2)
    }
}

extension SourceWord: CustomStringConvertible {
    /// The word in full, with its scheme.
    var description: String {
        switch self {
        case .gpsd(let endpoint): endpoint.url
        case .serial(let path, let speed): "serial:\(path)" + (speed.map { "?speed=\($0)" } ?? "")
        case .recording(let path): "replay:\(path)"
        case .simulator(let name): "sim:\(name)"
        }
    }
}

extension GPSDEndpoint {
    /// Whether the text spells an IPv6 address without its brackets, where nobody can tell a port from the rest.
    func lacksBrackets(in text: String) -> Bool { host.contains(":") && !text.contains("[") }
}

extension UsageError {
    fileprivate static func source(_ word: String, _ reason: String) -> UsageError {
        UsageError("SOURCE \"\(word.printable)\": \(reason)")
    }
}
