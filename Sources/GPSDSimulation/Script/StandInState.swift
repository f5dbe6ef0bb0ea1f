import LocationCore

/// The faults of a stand-in at present: those it was created with, and those that steps have begun.
struct StandInState {
    private var given: [StandInFault]
    private var begun: [StandInFault] = []
    /// The lasting faults by the part of the server that they affect.
    private(set) var faults: StandInFaults
    /// The conditions that hold, each with its end, if it has one.
    private var conditions: [StandInCondition: Duration?] = [:]
    private var delay = Duration.zero
    /// The release that the greeting names, if a fault changes it.
    private(set) var release: String?
    /// The effects on the next line.
    private var armed: [StandInEffect] = []
    private var garbage: [UInt64: SplitMix64] = [:]
    var editor = ReportEditor()

    init(_ faults: [StandInFault]) {
        given = faults
        self.faults = StandInFaults(faults)
    }

    /// Replaces the faults that the stand-in was created with.
    mutating func replace(_ faults: [StandInFault]) {
        given = faults
        self.faults = StandInFaults(given + begun)
    }

    func holds(_ condition: StandInCondition) -> Bool { conditions[condition] != nil }
    /// Whether connections are refused.
    var refuses: Bool { faults.refuses || holds(.refusing) }
    /// The first end of a condition.
    var nextEnd: Duration? { conditions.values.compactMap { $0 }.min() }

    /// The names of what holds at present.
    var names: [String] {
        StandInCondition.allCases.filter { holds($0) }.map(\.rawValue)
            + (delay > .zero ? ["delay"] : []) + (release == nil ? [] : ["version"])
            + (editor.isPartial ? ["partial"] : []) + begun.map(\.name)
    }

    /// Begins an effect that needs no other part of the server.
    mutating func begin(_ effect: StandInEffect, seed: UInt64, at now: Duration) {
        switch effect {
        case .lasting(let fault):
            // The newest one of a kind holds.
            begun.removeAll { $0.name == fault.name }
            begun.append(fault)
            faults = StandInFaults(given + begun)
        case .condition(let condition, let duration): set(condition, until: duration.map { now + $0 })
        case .restart(let duration): set(.refusing, until: now + duration)
        case .delay(let duration): delay = duration
        case .partial: editor.isPartial = true
        case .release(let name): release = name
        case .garbage(let count):
            var random = garbage[seed] ?? SplitMix64(seed: seed, stream: 1 << 53)
            let bytes = (0..<count).map { _ in
                let byte = UInt8(truncatingIfNeeded: random.next())
                return byte == UInt8(ascii: "\n") ? 0 : byte
            }
            garbage[seed] = random
            arm(.insert(bytes))
        case .cut, .insert, .long, .hangUp: arm(effect)
        }
    }

    /// The maximum number of effects on one line, so that faults at a rate need no memory while there is no line.
    private static let armedLimit = 64

    private mutating func arm(_ effect: StandInEffect) { if armed.count < Self.armedLimit { armed.append(effect) } }

    mutating func set(_ condition: StandInCondition, until end: Duration?) {
        conditions[condition] = .some(end)
        editor.isLost = holds(.lost)
    }

    mutating func end(_ condition: StandInCondition) {
        conditions[condition] = nil
        editor.isLost = holds(.lost)
    }

    /// Ends the conditions whose time has passed.
    mutating func expire(at now: Duration) {
        for (condition, end) in conditions { if let end, end <= now { self.end(condition) } }
    }

    /// Ends all faults that steps have begun; a changed position stays.
    mutating func clear() {
        begun = []
        faults = StandInFaults(given)
        conditions = [:]
        (delay, release, armed) = (.zero, nil, [])
        editor.isLost = false
        editor.isPartial = false
    }

    /// Whether there are effects on the next line.
    var isArmed: Bool { !armed.isEmpty }

    /// Returns and removes the effects on the next line.
    mutating func takeArmed() -> [StandInEffect] {
        defer { armed = [] }
        return armed
    }

    /// Returns the actions that send a line, which includes its line end.
    ///
    /// - Parameter number: The number of the line for the faults at a place, or `nil` for sentences.
    func steps(for line: [UInt8], number: Int?, armed: [StandInEffect], at now: Duration) -> [WireStep] {
        var line = line
        var (before, after): ([WireStep], [WireStep]) = ([], [])
        if delay > .zero { before.append(.hold(until: now + delay)) }
        for effect in armed {
            switch effect {
            case .cut(let bytes): line = Array(line.prefix(bytes ?? line.count / 2))
            case .insert(let bytes): before.append(.bytes(bytes))
            case .long(let bytes): before.append(.bytes(StandInFault.longLine(bytes: bytes)))
            case .hangUp(let reset): after.append(reset ? .reset : .end)
            default: break
            }
        }
        return before + (number.map { faults.steps(for: line, number: $0) } ?? [.bytes(line)]) + after
    }
}

extension StandInFault {
    /// The name of a lasting fault in `StandInFaultName.all`.
    fileprivate var name: String {
        switch self {
        case .chunks: "slow"
        case .devices: "devices"
        case .closesAtOnce: "close"
        case .silent: "mute"
        case .greeting: self == .ssh ? "ssh" : "http"
        case .deniesWatch: "deny"
        case .stall, .hangUp, .reset, .insert, .refuses: "line"
        }
    }
}
