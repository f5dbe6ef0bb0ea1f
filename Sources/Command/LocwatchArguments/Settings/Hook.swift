import LocationCore
import LocwatchTerminal

/// A command that runs at an event, as `--on EVENT=COMMAND` declares it.
package struct Hook: Hashable, Sendable {
    package let trigger: HookTrigger
    /// The command line, which the shell runs.
    package let command: String
    /// The time after which the command is ended.
    package var limit = Self.usualLimit

    fileprivate static let usualLimit = Duration.seconds(30)
}

/// The event at which a hook runs.
package struct HookTrigger: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case found, lost, error, handover, inside, enter, exit, dwell, undecided, integrity, alarm, stationary, moving,
            every

        package var concernsFence: Bool {
            switch self {
            case .inside, .enter, .exit, .dwell, .undecided: true
            case .found, .lost, .error, .handover, .integrity, .alarm, .stationary, .moving, .every: false
            }
        }

        package var meaning: String {
            switch self {
            case .found: "the first position, or the first one after a loss"
            case .lost: "the position is lost or has become stale"
            case .error: "an error, once and not at every repeated attempt"
            case .handover: "another receiver has become the current one"
            case .inside: "the first position is inside the fence, so that it was not entered"
            case .enter: "the position enters the fence"
            case .exit: "the position exits the fence"
            case .dwell: "the position has stayed in the fence; see --fence"
            case .undecided: "for 30 s the positions were too inaccurate for the fence"
            case .integrity: "the receiver is suspect, in alarm or nominal again, or there is a further reason"
            case .alarm: "the receiver is in alarm: do not rely on its position"
            case .stationary: "the receiver has stood still for a minute"
            case .moving: "the receiver moves again"
            case .every: "each position, one for each epoch, that --accuracy, --interval etc. admit"
            }
        }
    }

    package let kind: Kind
    /// The name of the fence, or `nil` for any fence and for events that happen at none.
    package let fence: String?

    init(_ kind: Kind, fence: String? = nil) {
        self.kind = kind
        self.fence = fence
    }

    package var spelling: String { kind.rawValue + (fence.map { ":\($0)" } ?? "") }
}

extension ValueSyntax where Value == Hook {
    package static let hook = ValueSyntax("EVENT=COMMAND", completion: .hook) { text throws(UsageError) in
        let kinds = HookTrigger.Kind.allCases
        guard let equals = text.firstIndex(of: "=") else {
            throw UsageError(allowed: "EVENT=COMMAND, as in 'found=notify-send found'")
        }
        var event = text[..<equals]
        // The name of a fence can have a slash, so only a time after the last one is a limit.
        let slash = event.lastIndex(of: "/")
        let limit = slash.flatMap { DurationText.read(String(event[$0...].dropFirst())) }
        if let slash, limit != nil { event = event[..<slash] }
        if let limit, limit <= .zero { throw UsageError(allowed: "a limit of more than 0s after the /") }
        let parts = event.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let word = parts.first.map(String.init) ?? ""
        guard let kind = HookTrigger.Kind(rawValue: word) else {
            if let slash, kinds.contains(where: { $0.rawValue == text[..<slash] }) {
                throw UsageError(allowed: "a limit such as 5m after the /")
            }
            let known = kinds.map { $0.concernsFence ? "\($0.rawValue):NAME" : $0.rawValue }
            throw UsageError(
                allowed: "one of the events \(EnglishList.or(known)) before the =",
                suggestion: Spelling.nearest(to: word, among: kinds.map(\.rawValue)))
        }
        let fence = parts.count == 2 ? String(parts[1]) : nil
        if fence != nil, !kind.concernsFence {
            throw UsageError(allowed: "\(word) without a name, because it happens at no fence")
        }
        if let fence, fence.isEmpty { throw UsageError(allowed: "the name of a fence after \(word):") }
        let command = String(text[text.index(after: equals)...])
        guard command.utf8.contains(where: { !" \t\n".utf8.contains($0) }) else {
            throw UsageError(allowed: "a command after \(word)\(fence == nil ? "" : ":NAME")=")
        }
        guard !command.utf8.contains(0) else { throw UsageError(allowed: "a command without a zero byte") }
        return Hook(trigger: HookTrigger(kind, fence: fence), command: command, limit: limit ?? Hook.usualLimit)
    }
}
