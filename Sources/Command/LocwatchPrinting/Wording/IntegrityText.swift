package import LocationCore
package import LocwatchTerminal

/// The text for a change of the judgement of a receiver.
package struct IntegrityText {
    /// The text, from the most informative form to the shortest.
    package let forms: [String]

    /// The text with the reasons and the observation, as in `jump: moved 1200 m in 1.0 s`.
    package var words: String { forms[0] }

    package init(_ change: IntegrityChange) {
        let message = change.message.printable
        let codes = change.reasons.codes.joined(separator: ", ")
        forms = change.to > .nominal ? ["\(codes): \(message)", message, codes] : [message]
    }
}

extension IntegrityVerdict {
    /// The colour of a line about the verdict.
    package var ink: Ink {
        switch self {
        case .nominal: .good
        case .suspect: .waiting
        case .alarm: .bad
        }
    }
}
