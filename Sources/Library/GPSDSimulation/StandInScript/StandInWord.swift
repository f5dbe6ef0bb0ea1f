import LocationCore

/// A word of scripts and of the control port, or a fault: one entry of the tables from which the parser, the help and the
/// completions are derived.
package struct StandInWord: Sendable {
    package let name: String
    /// The name and the arguments as the help shows them.
    package let usage: String
    package let meaning: String
    /// Whether scripts have the word too; otherwise it asks something, or waits.
    package let isForScripts: Bool
    /// Parses the arguments of a word, or the value of a fault.
    let parse: @Sendable (inout WordReader) throws(SimulationError) -> StandInStep

    private init(
        _ usage: String, _ meaning: String, isForScripts: Bool = true,
        parse: @escaping @Sendable (inout WordReader) throws(SimulationError) -> StandInStep
    ) {
        name = Self.name(in: usage)
        self.usage = usage
        self.meaning = meaning
        self.isForScripts = isForScripts
        self.parse = parse
    }

    static func name(in usage: String) -> String { String(usage.prefix { $0 != " " && $0 != "=" }) }

    static let waitLimit = Duration.seconds(30)
    /// The longest step of the clock.
    static let stepLimit = Duration.seconds(31 * 86_400)

    private static let metresPerUnit: [String: Double] = ["": 1, "m": 1, "km": 1000]

    /// All words, in the order of the help.
    package static let all: [StandInWord] = [
        .asking("status", "the time, the clients, the faults, and where the script stands") { _ in .status },
        .asking("wait clients N|read [LIMIT]", "wait until N clients watch, or have read all (default 30s)") {
            (words) throws(SimulationError) in
            let what = try words.word("clients N, or read")
            let awaited: StandInCommand.Awaited
            switch what.text {
            case "clients": awaited = .clients(try words.number("a number of clients", in: 0...10_000))
            case "read": awaited = .read
            default: throw what.fault("expected clients N, or read")
            }
            let limit = words.hasMore ? try words.duration("a limit such as 10s") : Self.waitLimit
            return .wait(awaited, limit: limit)
        },
        .doing("lose", "the receiver loses its fix") { _ in .fault(StandInFault(.lost), name: "lose") },
        .doing("restore", "it has a fix again, and is plugged in") { _ in .restore },
        .doing("move LAT,LON", "it is at a place, and goes on from there") { (words) throws(SimulationError) in
            let word = try words.word("LAT,LON, as in 48.2,16.37")
            let parts = word.text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, let latitude = PlainNumber.read(parts[0], signed: true),
                let longitude = PlainNumber.read(parts[1], signed: true),
                let place = Coordinate(checking: latitude, longitude)
            else { throw word.fault("expected LAT,LON, a latitude from -90 to 90 and a longitude from -180 to 180") }
            return .move(place)
        },
        .doing("jump METRES", "its position jumps eastwards") { (words) throws(SimulationError) in
            let word = try words.word("a length in metres such as 3000 or 3km")
            guard let (number, unit) = PlainNumber.quantity(word.text), let scale = metresPerUnit[unit],
                number * scale <= 20_000_000
            else { throw word.fault("expected a length in metres such as 3000 or 3km, at most 20000km") }
            return .jump(metres: number * scale)
        },
        StandInWord(
            "fault NAME[=VALUE][@TIME][/EVERY][~SEED]", "begin a fault, at a time, at a rate, or at random"
        ) { (words) throws(SimulationError) in try words.faultStep() },
        .doing("clear", "end all faults") { _ in .clear },
        .doing("refuse", "refuse connections") { _ in .fault(.refuses, name: "refuse") },
        .doing("accept", "accept them again") { _ in .accept },
        .asking("step DURATION", "advance the clock of --pace manual") { (words) throws(SimulationError) in
            .step(try words.duration("a duration such as 250ms, 10s or 1h, at most 31d", atMost: Self.stepLimit))
        },
        .asking("requests", "the commands that clients have sent") { _ in .requests },
    ]

    private static func asking(
        _ usage: String, _ meaning: String,
        _ parse: @escaping @Sendable (inout WordReader) throws(SimulationError) -> StandInCommand
    ) -> StandInWord { doing(usage, meaning, isForScripts: false, parse) }

    static func doing(
        _ usage: String, _ meaning: String, isForScripts: Bool = true,
        _ parse: @escaping @Sendable (inout WordReader) throws(SimulationError) -> StandInCommand
    ) -> StandInWord {
        StandInWord(usage, meaning, isForScripts: isForScripts) { (words) throws(SimulationError) in
            StandInStep(try parse(&words))
        }
    }
}
