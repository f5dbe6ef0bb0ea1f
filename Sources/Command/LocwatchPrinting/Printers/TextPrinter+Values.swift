import LocationCore
package import LocwatchArguments
import LocwatchSupport
import LocwatchTerminal

// The parts of events, states and receivers that the lines of text show, and text as the usual format.

/// The stay of a device in a fence.
struct Visit: Hashable {
    let device: String?
    let fence: String
}

extension Notice {
    /// The message, and a shorter form if there is one.
    var forms: [String] {
        guard case .corrections(let status) = content else { return [message.printable] }
        let cause = (status.cause ?? "").printable
        return [message.printable, status.isArriving ? "corrections arrive" : "no corrections: \(cause)"]
    }
}

extension LocationState {
    var isFailure: Bool {
        switch self {
        case .error, .searching(.deviceUnopenable): true
        case .searching, .found: false
        }
    }
}

extension SessionView {
    /// The greatest width of a receiver's name on a terminal.
    private static let nameColumns = 16

    /// Returns the name of a receiver as a line shows it.
    ///
    /// It is whole for a program that reads it, and short on a terminal, but different from the names of the other receivers. The
    /// topics of a fleet differ at their ends.
    func shownName(of device: String, _ style: TextStyle) -> String {
        guard style.columns != TextStyle.unlimitedColumns else { return device.printable }
        func others() -> [String] { rivals.prefix(ShortenedText.mostNames).map { ($0 ?? "").printable } }
        return ShortenedText.receiver(device.printable, among: others(), to: Self.nameColumns, style.glyphs)
    }
}

extension OutputFormat {
    package static let text = OutputFormat("--format text", carrying: .messages) { settings, style, localTime in
        TextPrinter(style: style, selection: settings.output.events, localTime: localTime)
    }
}

extension Settings {
    /// Creates the defaults, with text as the format.
    package init() { self.init(output: .text) }
}

extension TrackedUpdate {
    /// The position that the update reports or finds, if any.
    var foundPosition: Location? {
        switch self {
        case .transition(let change), .deviceTransition(let change):
            if case .found(let location) = change.to { location } else { nil }
        case .update(let update, _): if case .location(let location) = update.event { location } else { nil }
        default: nil
        }
    }
}
