import LocationCore

/// The faults of a stand-in at present: those it was created with, and those that steps have begun.
struct StandInState {
    /// A condition that a step has begun, with the name of its fault.
    private struct Begun {
        var name: String
        var condition: StandInCondition
        var end: Duration?
    }

    /// The faults it was created with by the lines at which they happen; those without a place are at `nil`.
    private var given: [Int?: [StandInFault]]
    private var begun: [Begun] = []
    private var conditions: [StandInCondition] = []
    /// The faults of the next line.
    private var armed: [StandInFault] = []
    private var garbage: [UInt64: SplitMix64] = [:]
    var editor = ReportEditor()

    init(_ faults: [StandInFault]) {
        given = [:]
        replace(faults)
    }

    /// Replaces the faults that the stand-in was created with.
    mutating func replace(_ faults: [StandInFault]) {
        given = Dictionary(grouping: faults) { $0.place?.line }
        update()
    }

    private mutating func update() {
        let lasting = given[nil] ?? []
        conditions = lasting.compactMap { if case .condition(let condition, _) = $0.effect { condition } else { nil } }
        conditions += begun.map(\.condition)
        editor.isLost = holds(.lost)
        editor.isPartial = holds(.partial)
    }

    // MARK: Conditions

    func holds(_ condition: StandInCondition) -> Bool { conditions.contains(condition) }

    private func newest<Value>(_ value: (StandInCondition) -> Value?) -> Value? {
        conditions.reversed().lazy.compactMap(value).first
    }

    /// The size of the chunks in which everything is sent, and the pause between them.
    var chunk: (bytes: Int, gap: Duration)? {
        newest { if case .chunks(let bytes, let gap) = $0 { (bytes, gap) } else { nil } }
    }
    /// The release that the greeting names, if a fault changes it.
    var release: String? { newest { if case .release(let name) = $0 { name } else { nil } } }
    var greeting: [UInt8]? { newest { if case .greeting(let bytes) = $0 { bytes } else { nil } } }
    /// The error that answers each `?WATCH`.
    var denial: String? { newest { if case .denial(let message) = $0 { message } else { nil } } }
    /// The least number of devices that are listed.
    var deviceCount: Int { newest { if case .devices(let count) = $0 { count } else { nil } } ?? 0 }
    private var delay: Duration? { newest { if case .delay(let duration) = $0 { duration } else { nil } } }

    /// The first end of a condition.
    var nextEnd: Duration? { begun.compactMap(\.end).min() }
    /// The names of the faults that hold, in the order in which they began.
    var names: [String] { begun.map(\.name) }

    /// Begins a fault, as far as no connection has to end.
    mutating func begin(_ fault: StandInFault, named name: String, seed: UInt64, at now: Duration) {
        switch fault.effect {
        case .condition(let condition, let duration): hold(condition, name, until: duration.map { now + $0 })
        case .restart(let duration): hold(.refusing, "refuse", until: now + duration)
        case .garbage(let count):
            var random = garbage[seed] ?? SplitMix64(seed: seed, stream: 1 << 53)
            arm(StandInFault(.insert(random.garbage(bytes: count)), fault.place))
            garbage[seed] = random
        case .cut, .insert, .long, .pause, .hangUp: arm(fault)
        }
    }

    private mutating func hold(_ condition: StandInCondition, _ name: String, until end: Duration?) {
        begun.removeAll { $0.name == name }
        begun.append(Begun(name: name, condition: condition, end: end))
        update()
    }

    mutating func end(_ condition: StandInCondition) {
        begun.removeAll { $0.condition == condition }
        update()
    }

    /// Ends the conditions whose time has passed.
    mutating func expire(at now: Duration) {
        begun.removeAll { begun in begun.end.map { $0 <= now } ?? false }
        update()
    }

    /// Ends all faults that steps have begun; a changed position stays.
    mutating func clear() {
        (begun, armed) = ([], [])
        update()
    }

    // MARK: Lines

    /// The maximum number of faults of one line, so that those at a rate need no memory while there is no line.
    private static let armedLimit = 64

    private mutating func arm(_ fault: StandInFault) { if armed.count < Self.armedLimit { armed.append(fault) } }

    /// Whether the next line has faults.
    var isArmed: Bool { !armed.isEmpty }

    /// Returns and removes the faults of the next line.
    mutating func takeArmed() -> [StandInFault] {
        defer { armed = [] }
        return armed
    }

    /// Returns the actions that send a line, which includes its line end.
    ///
    /// - Parameter number: The number of the line for the faults at a place, or `nil` for sentences.
    func steps(for line: [UInt8], number: Int?, armed: [StandInFault], at now: Duration) -> [WireStep] {
        let faults = armed + (number.flatMap { given[$0] } ?? [])
        var steps: [WireStep] = delay.map { [.hold(until: now + $0)] } ?? []
        if faults.isEmpty { return steps + [.bytes(line)] }
        var line = line
        for case .cut(let bytes) in faults.lazy.map(\.effect) { line = Array(line.prefix(bytes ?? line.count / 2)) }
        var sent = 0
        // The sort is stable, so that faults at the same place keep their order.
        for fault in faults.sorted(by: { $0.byte < $1.byte }) {
            guard let step = fault.effect.step else { continue }
            let offset = min(fault.byte, line.count)
            if offset > sent { steps.append(.bytes(Array(line[sent..<offset]))) }
            sent = offset
            steps.append(step)
        }
        if sent < line.count { steps.append(.bytes(Array(line[sent...]))) }
        return steps
    }
}

extension StandInFault {
    fileprivate var byte: Int { place?.byte ?? 0 }
}

extension StandInEffect {
    /// The action on the connection, or `nil` if the effect is none on a connection.
    fileprivate var step: WireStep? {
        switch self {
        case .insert(let bytes): .bytes(bytes)
        case .long(let bytes): .bytes(Self.longLine(bytes: bytes))
        case .pause(let duration): .pause(duration)
        case .hangUp(let reset): reset ? .reset : .end
        case .condition, .cut, .garbage, .restart: nil
        }
    }

    /// Returns a report of an unknown class with a length of `count` bytes.
    private static func longLine(bytes count: Int) -> [UInt8] {
        let head = Array(#"{"class":"LONG","text":""#.utf8)
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: max(0, count - head.count - 2))
        return head + filler + Array("\"}\r\n".utf8)
    }
}
