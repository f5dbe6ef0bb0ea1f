import LocationCore

/// A printer of the state of a session for a bar, which prints a line only when it differs from the last one.
struct StatusBarPrinter: EventPrinter {
    let bar: StatusBar
    private var model: BarModel
    private var last: [UInt8] = []
    /// Whether only a position or the reason for its absence is printed.
    private var isSingleLine = false

    init(bar: StatusBar, style: TextStyle, localTime: LocalTime) {
        self.bar = bar
        model = BarModel(style: style, localTime: localTime)
    }

    mutating func start(_ start: SessionStart, into out: inout TextBuffer) {
        isSingleLine = start.isSingleLine
        bar.begin(&out)
        if !isSingleLine { put(&out) }
    }

    mutating func print(_ update: TrackedUpdate, into out: inout TextBuffer) {
        model.process(update)
        if !isSingleLine || update.isLocation { put(&out) }
    }

    mutating func print(_ event: FenceEvent, into out: inout TextBuffer) {
        model.process(event)
        put(&out)
    }

    mutating func print(_ failure: LocationError, retry: Duration?, at moment: Moment, into out: inout TextBuffer) {
        model.process(failure)
        put(&out)
    }

    func end(_ end: SessionEnd, into out: inout TextBuffer) { bar.end(&out) }

    private mutating func put(_ out: inout TextBuffer) {
        var line = TextBuffer()
        bar.put(model.barStatus, into: &line)
        let bytes = line.bytes
        guard bytes != last else { return }
        if !last.isEmpty { out.put(bar.separator) }
        out.put(bytes)
        last = bytes
    }
}

extension TrackedUpdate {
    fileprivate var isLocation: Bool {
        if case .update(let update) = self, case .location = update.event { true } else { false }
    }
}
