import LocationCore

/// CSV with a header (RFC 4180): a record a position, or with states only a record a change of state.
struct CSVPrinter: EventPrinter {
    let precision: Precision
    let selection: EventSelection
    private var memory = SessionMemory()

    init(precision: Precision = .decimals(7), selection: EventSelection = .init()) {
        self.precision = precision
        self.selection = selection
    }

    private static let stateNames = ["time", "from", "to", "reason", "after", "device", "message"]

    func start(_ start: SessionStart, into out: inout TextBuffer) {
        let names = selection.locations ? FieldNames.csv : CSVPrinter.stateNames
        out.put(names.joined(separator: ","))
        out.put("\r\n")
    }

    mutating func print(_ update: TrackedUpdate, into out: inout TextBuffer) {
        switch update {
        case .update(let update):
            memory.note(update.event)
            guard selection.locations, case .location(let location) = update.event else { return }
            var writer = CSVFields(precision: precision)
            swap(&writer.out, &out)
            memory.reported(location, at: update.moment).visitCSV(&writer)
            swap(&writer.out, &out)
            out.put("\r\n")
        case .transition(let transition):
            if !selection.locations { print(transition, into: &out) }
        case .handover(let handover):
            if !selection.locations { print(handover, into: &out) }
        case .deviceTransition: break
        }
    }

    func print(_ event: FenceEvent, into out: inout TextBuffer) {}

    func print(_ failure: LocationError, retry: Duration?, at moment: Moment, into out: inout TextBuffer) {}

    func end(_ end: SessionEnd, into out: inout TextBuffer) {}

    private func print(_ transition: Transition, into out: inout TextBuffer) {
        out.put(rfc3339: transition.moment.wall)
        out.put(",\(transition.from.word),\(transition.to.word),")
        out.put(csvField: transition.reason.code)
        out.put(UInt8(ascii: ","))
        out.put(trimmed: transition.lasted.inSeconds, decimals: 3)
        out.put(UInt8(ascii: ","))
        out.put(csvField: transition.device ?? "")
        out.put(UInt8(ascii: ","))
        out.put(csvField: TransitionText(transition, style: TextStyle(glyphs: .ascii)).words)
        out.put("\r\n")
    }
}

extension CSVPrinter {
    private func print(_ handover: Handover, into out: inout TextBuffer) {
        out.put(rfc3339: handover.moment.wall)
        out.put(",found,found,\(handover.reason.code),,")
        out.put(csvField: handover.to ?? "")
        out.put(UInt8(ascii: ","))
        out.put(csvField: HandoverText(handover).words)
        out.put("\r\n")
    }
}

/// Writes every field at its place, empty where it is unknown.
private struct CSVFields: LocationFieldVisitor {
    let precision: Precision
    var out = TextBuffer()
    private var isFirst = true

    init(precision: Precision) {
        self.precision = precision
    }

    var wantsAbsent: Bool { true }

    mutating func time(_ key: StaticString, _ value: Timestamp?) {
        next()
        if let value { out.put(rfc3339: value) }
    }

    mutating func coordinate(_ key: StaticString, _ value: Double, _ axis: CoordinateAxis) {
        next()
        switch precision {
        case .decimals(let decimals): out.put(fixed: value, decimals: decimals)
        case .full: out.put(shortest: value)
        }
    }

    mutating func number(_ key: StaticString, _ value: Double?, _ quantity: Quantity) {
        next()
        if let value { out.put(shortest: value) }
    }

    mutating func count(_ key: StaticString, _ value: Int?) {
        next()
        if let value { out.put(value) }
    }

    mutating func word(_ key: StaticString, _ value: String?) {
        next()
        if let value { out.put(csvField: value) }
    }

    mutating func mark(_ key: StaticString, _ value: Bool) {
        next()
        if value { out.put(UInt8(ascii: "1")) }
    }

    private mutating func next() {
        if !isFirst { out.put(UInt8(ascii: ",")) }
        isFirst = false
    }
}
