import LocationCore
import LocationTracks

/// A change of state in words, without the state's own name.
struct TransitionText {
    let words: String

    init(_ transition: Transition, style: TextStyle, status: DeviceStatus? = nil, source: SourceWord? = nil) {
        switch transition.to {
        case .found(let location):
            words = TransitionText.found(location, transition, style)
        case .error(let error):
            words = ErrorText(error).message
        case .searching(let reason):
            let text = ReasonText(reason, source: source)
            if case .found = transition.from {
                let reason = reason.kind == .noFix ? "no fix reported" : text.words
                words = "fix lost after \(transition.lasted.spoken): \(reason)"
            } else if let device = transition.device, !text.namesDevice {
                let details = status?.words.map { " (\($0))" } ?? ""
                words = "\(device.printable)\(details): \(text.words)"
            } else {
                words = text.words
            }
        }
    }

    private static func found(_ location: Location, _ transition: Transition, _ style: TextStyle) -> String {
        var text = TextBuffer()
        text.put("\(location.fix.words) fix after \(transition.lasted.spoken): ")
        text.put(trimmedCoordinate: location.coordinate.latitude, .latitude, style)
        text.put(", ")
        text.put(trimmedCoordinate: location.coordinate.longitude, .longitude, style)
        if let accuracy = location.horizontalAccuracy {
            text.put(" \(style.glyphs.plusMinus)")
            text.put(length: accuracy, in: style.units)
        }
        return text.text
    }
}

extension TextBuffer {
    fileprivate mutating func put(trimmedCoordinate degrees: Double, _ axis: CoordinateAxis, _ style: TextStyle) {
        let start = count
        put(coordinate: degrees, axis, style)
        if style.degrees == .decimal { trimFraction(from: start) }
    }
}
