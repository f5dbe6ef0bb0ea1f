import LocationCore
import LocwatchTerminal

/// A command that runs at an event, as `--on EVENT=COMMAND` declares it.
package struct Hook: Hashable, Sendable {
    package let trigger: HookTrigger
    /// The command line, which the shell runs.
    package let command: String
}

/// The event at which a hook runs.
package struct HookTrigger: Hashable, Sendable {
    package enum TriggerKind: String, CaseIterable, Hashable, Sendable {
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
            case .every:
                "each position, one for each epoch, that --accuracy, --interval etc. admit; every/10s one in 10 s"
            }
        }
    }

    package let kind: TriggerKind
    /// The name of the fence, or `nil` for any fence and for events that happen at none.
    package let fence: String?
    /// The least time between two positions of one receiver for `every`, or `nil` for each of them.
    package let interval: Duration?

    /// The trigger as the user wrote it.
    package let spelling: String

    init(_ kind: TriggerKind, fence: String? = nil) {
        (self.kind, self.fence, interval) = (kind, fence, nil)
        spelling = kind.rawValue + (fence.map { ":\($0)" } ?? "")
    }

    /// Creates the trigger of at most one position of a receiver in each interval, which a text such as `10s` states.
    init(every interval: Duration, written text: Substring) {
        (kind, fence, self.interval) = (.every, nil, interval)
        spelling = "\(TriggerKind.every.rawValue)/\(text)"
    }
}

extension ValueSyntax where Value == Hook {
    package static let hook = ValueSyntax("EVENT=COMMAND", completion: .hook) { text throws(UsageError) in
        let kinds = HookTrigger.TriggerKind.allCases
        guard let equals = text.firstIndex(of: "=") else {
            throw UsageError(allowed: "EVENT=COMMAND, as in 'found=notify-send found'")
        }
        let event = text[..<equals]
        let parts = event.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let word = parts.first.map(String.init) ?? ""
        let command = String(text[text.index(after: equals)...])
        if let slash = word.firstIndex(of: "/"), let kind = HookTrigger.TriggerKind(rawValue: String(word[..<slash])) {
            guard kind == .every else {
                throw UsageError(
                    allowed: "\(kind.rawValue) without a /TIME; --hook-limit TIME is the time that a command may take")
            }
            let written = event[slash...].dropFirst()
            guard let interval = DurationText.read(String(written)), interval > .zero else {
                throw UsageError(allowed: "an interval such as 10s after every/")
            }
            return Hook(
                trigger: HookTrigger(every: interval, written: written), command: try checked(command, of: event))
        }
        guard let kind = HookTrigger.TriggerKind(rawValue: word) else {
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
        return Hook(
            trigger: HookTrigger(kind, fence: fence),
            command: try checked(command, of: fence == nil ? word[...] : "\(word):NAME"))
    }

    /// Returns the command of an event, unless the shell cannot run it.
    private static func checked(_ command: String, of event: Substring) throws(UsageError) -> String {
        guard command.utf8.contains(where: { !" \t\n".utf8.contains($0) }) else {
            throw UsageError(allowed: "a command after \(event)=")
        }
        guard !command.utf8.contains(0) else { throw UsageError(allowed: "a command without a zero byte") }
        return command
    }
}
