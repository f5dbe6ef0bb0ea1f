extension IntegrityFinding.Values {
    /// The observation as a sentence whose subject is the receiver, with metric units.
    var words: String {
        switch self {
        case .jump(let metres, let seconds):
            return "moved \(Self.length(metres)) in \(Self.time(seconds)), more than its speed explains"
        case .way(let metres, let seconds):
            return "moved \(Self.length(metres)) more than its speed explains, within \(Int(clamping: seconds)) s"
        case .teleport(let metres, let stood):
            return "is \(Self.length(metres)) from its stay of \(Self.time(stood)), without a speed"
        case .clock(let seconds):
            return "its time leapt \(seconds < 0 ? "back" : "ahead") by \(Self.time(abs(seconds)))"
        case .rollover(let weeks, let likely):
            return "its date is \(abs(weeks)) weeks \(weeks < 0 ? "early" : "late"), "
                + "likely \(likely.formatted(fractionDigits: 0))"
        case .signal(let fall, let isSilent):
            return isSilent
                ? "all signals vanished within seconds" : "all signals fell by \(Int(clamping: fall)) dB within seconds"
        case .slowFall(let fall): return "all signals fell by \(Int(clamping: fall)) dB while it stood still"
        case .uniform(let count, let spread):
            return "its \(count) signals in use differ by \(Self.decimal(spread)) dB only"
        case .sky(let remaining, let count):
            return "\(count - remaining) of \(count) satellites in use changed while it stood still"
        case .height(let metres, let seconds):
            return "its height changed by \(Self.length(metres)) in \(Self.time(seconds))"
        case .depth(let metres): return "its height is \(Self.length(metres)) below zero"
        case .interference(let level): return "reports interference of \(level) of 255"
        case .antenna(let isOpen): return "reports \(isOpen ? "an open" : "a short-circuited") antenna"
        case .disagreement(let metres, let other):
            return "is \(Self.length(metres)) from \(other ?? "another receiver"), with which it agreed before"
        case .frozen(let metres):
            return "has not moved, although its speed explains \(Self.length(metres)) within two minutes"
        case .constellation(let system, let excess):
            return "the signals of \(system.name) are \(Int(clamping: excess)) dB above those of the other systems"
        }
    }

    private static func decimal(_ number: Double) -> String {
        TextBuffer.text { $0.put(fixed: number, decimals: 1) }
    }

    private static func length(_ metres: Double) -> String {
        guard metres >= 10_000 else { return "\(Int(clamping: metres.rounded())) m" }
        return "\(Int(clamping: metres / 1000)) km"
    }

    private static func time(_ seconds: Double) -> String {
        switch seconds {
        case ..<10: return "\(decimal(seconds)) s"
        case ..<600: return "\(Int(clamping: seconds)) s"
        case ..<36_000: return "\(Int(clamping: seconds / 60)) min"
        case ..<864_000: return "\(Int(clamping: seconds / 3600)) h"
        default: return "\(Int(clamping: seconds / 86_400)) days"
        }
    }
}
