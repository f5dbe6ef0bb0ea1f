import GPSDSimulation
import LocationCore
import LocationGPSD

/// A simulated receiver on a pseudo terminal, read by a real private gpsd.
struct SimulatedSource: Source {
    static let prefixes = ["sim:"]
    static let help = [
        (
            term: "sim:NAME",
            meaning: "a simulated receiver: \(ReceiverScenario.all.map(\.name).joined(separator: ", "))"
        )
    ]

    let name: String

    init(name: String) { self.name = name }

    static func recognizes(_ word: String, exists: (String) -> Bool) -> Bool { false }

    init(_ word: String, prefix: String) throws(UsageError) {
        let names = ReceiverScenario.all.map(\.name)
        guard names.contains(word) else {
            let meant = Spelling.nearest(to: word, among: names).map { "; did you mean sim:\($0)?" } ?? ""
            throw .source(prefix + word, "the simulated receivers are \(EnglishList.and(names))\(meant)")
        }
        name = word
    }

    var isLive: Bool { true }
    var description: String { "sim:\(name)" }
    var place: String { "the simulated receiver \(name)" }
    func connection(to daemon: String) -> String { "reading \(place) through a private \(daemon)" }

    func open(_ settings: Settings, _ options: SessionOptions) throws(LocationError) -> any LocationProvider {
        SerialReceiverSource(options: options) { () throws(LocationError) in
            let receiver = try SimulatedReceiver(named: name)
            return AttachedReceiver(path: receiver.path) { receiver.stop() }
        }
    }
}

extension SimulatedReceiver {
    /// Creates the simulated receiver with a name that has already been checked.
    convenience init(named name: String) throws(LocationError) {
        do {
            try self.init(ReceiverScenario.named(name) ?? .walk)
        } catch {
            throw .other(code: "simulation", message: "cannot simulate a receiver: \(error)")
        }
    }
}

extension SourceWord {
    /// The name of the simulated receiver, if the source is one.
    var simulatorName: String? { (source as? SimulatedSource)?.name }
}
