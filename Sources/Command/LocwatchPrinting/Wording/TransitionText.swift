package import LocationCore
package import LocwatchArguments
package import LocwatchTerminal

/// The text for a change of state, without the name of the state.
package struct TransitionText {
    package let words: String

    /// Returns the texts for a found fix, from the longest form to the shortest.
    ///
    /// - Parameter searched: the time since the search began.
    static func found(_ location: Location, after searched: Duration, used: Int?, seen: Int?) -> [String] {
        let (fix, after) = ("\(location.fix.words) fix", found(location, after: searched))
        guard used != nil || seen != nil else { return [after, fix] }
        let counts = [used, seen].map { $0.map(String.init) ?? "-" }.joined(separator: "/")
        return ["\(after), \(counts) satellites", after, fix]
    }

    /// Returns the texts for a lost fix, from the longest form to the shortest.
    static func lost(_ transition: StateChange, _ reason: SearchReason) -> [String] {
        let front = lost(after: transition.lasted)
        guard let satellites = reason.satellites else {
            return ["\(front): \(ReasonText(reason).words)", front]
        }
        var sky: [String] = []
        if let seen = satellites.seen { sky.append(seen.counting("satellite")) }
        sky += ReasonText.sky(seen: nil, used: nil, best: satellites.best)
        let parts = ["\(front): no fix reported"] + sky
        return (0..<parts.count).map { parts.dropLast($0).joined(separator: ", ") } + [front]
    }

    private static func lost(after held: Duration) -> String { "fix lost, held for \(held.spoken)" }

    /// Creates the text.
    ///
    /// - Parameter hasSearch: Whether the session searches for a position; a track has no search.
    package init(
        _ transition: StateChange, style: TextStyle, status: DeviceStatus? = nil, source: SourceWord? = nil,
        hasSearch: Bool = true
    ) {
        switch transition.to {
        case .found(let location):
            let found = TransitionText.found(location, after: hasSearch ? transition.searched : .zero)
            let place = TransitionText.place(location.coordinate, accuracy: location.horizontalAccuracy, style)
            words = "\(found): \(place)"
        case .error(let error):
            words = ErrorText(error).message
        case .searching(let reason):
            let text = ReasonText(reason, source: source)
            if case .found = transition.from {
                let reason = reason.satellites == nil ? text.words : "no fix reported"
                words = "\(TransitionText.lost(after: transition.lasted)): \(reason)"
            } else if let device = transition.device, !text.namesDevice {
                let details = status?.words.map { " (\($0))" } ?? ""
                words = "\(device.printable)\(details): \(text.words)"
            } else {
                words = text.words
            }
        }
    }

    /// Returns the text without the position and the receiver, of which JSON has the values beside it.
    static func plain(_ transition: StateChange, source: SourceWord, hasSearch: Bool) -> String {
        switch (transition.from, transition.to) {
        case (_, .found(let location)): found(location, after: hasSearch ? transition.searched : .zero)
        case (_, .error(let error)): ErrorText(error).message
        case (.found, .searching(let reason)): lost(transition, reason)[0]
        case (_, .searching(let reason)): ReasonText(reason, source: source).words
        }
    }

    /// Returns the text for a found fix without its position.
    package static func found(_ location: Location, after searched: Duration) -> String {
        // A recording that begins with a position has no search time.
        "\(location.fix.words) fix\(searched > .zero ? " after \(searched.spoken)" : "")"
    }

    /// Returns the text for a position, as in `48.2082, 16.3738 ±5.4 m`.
    package static func place(_ coordinate: Coordinate, accuracy: Double?, _ style: TextStyle) -> String {
        TextBuffer.text { text in
            text.put(trimmedCoordinate: coordinate.latitude, .latitude, style)
            text.put(", ")
            text.put(trimmedCoordinate: coordinate.longitude, .longitude, style)
            guard let accuracy else { return }
            text.put(" \(style.glyphs.plusMinus)")
            text.put(length: accuracy, in: style.units)
        }
    }
}

extension StateChange {
    /// Whether a receiver caused the change, rather than gpsd or the connection.
    package var isOfReceiver: Bool {
        switch to {
        case .found: true
        case .searching(let reason):
            switch reason {
            case .noFix, .unsuitable, .silent, .deviceLost, .deviceUnopenable, .deviceSilent, .deviceBabbling:
                device != nil
            case .starting, .connecting, .unanswered, .connected, .noDevice: false
            }
        case .error: false
        }
    }
}

extension TextBuffer {
    fileprivate mutating func put(trimmedCoordinate degrees: Double, _ axis: CoordinateAxis, _ style: TextStyle) {
        let start = count
        put(coordinate: degrees, axis, style)
        if style.degrees == .decimal { trimFraction(from: start) }
    }
}

/// The text for a change of the current receiver.
package struct HandoverText {
    /// The text, as in `/dev/ttyUSB0 replaces /dev/ttyACM0: silent for 3 s`.
    package var words: String { words { $0 } }

    private let handover: Handover

    package init(_ handover: Handover) { self.handover = handover }

    /// Returns the text with each name passed through `shorten`.
    func words(_ shorten: (String) -> String) -> String {
        let change = "\(shorten(Self.name(handover.to))) replaces \(shorten(Self.name(handover.from)))"
        return switch handover.reason {
        case .better: "\(change): clearly better for \(BestReceiver.challengeTime.spoken)"
        case .lost(.silent(let time)): "\(change): silent for \(time.spoken)"
        case .lost(let reason): "\(change): \(ReasonText(reason).words)"
        }
    }

    private static func name(_ device: String?) -> String { device?.printable ?? "an unnamed receiver" }
}
