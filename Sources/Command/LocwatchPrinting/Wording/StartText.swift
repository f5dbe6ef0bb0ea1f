import LocationCore
import LocwatchArguments
import LocwatchTerminal

/// The text at the start of a session, as in `gpsd 3.22 at localhost:2947, u-blox NEO-M8 on /dev/ttyACM0`.
struct StartText {
    var source: SourceWord?
    /// The release of gpsd, if known.
    var release: String?
    var receiver: DeviceStatus?
    /// The reason why there is no position, if it is to be shown.
    var reason: SearchReason?

    /// Returns the text, fitted to a width.
    func words(to columns: Int, _ glyphs: Glyphs) -> String {
        ShortenedText.names(to: columns, glyphs) { name in
            (places(name) + [detail(name)]).compactMap(\.self).joined(separator: ", ")
        }
    }

    private func places(_ name: (String) -> String) -> [String] {
        let daemon = release.map { "gpsd \($0.printable)" }
        guard let source else { return [daemon ?? "gpsd"] }
        let place = name(source.place.printable)
        if source.endpoint != nil { return ["\(daemon ?? "gpsd") at \(place)"] }
        return [place] + (daemon.map { [$0] } ?? [])
    }

    private func detail(_ name: (String) -> String) -> String? {
        switch reason {
        case .deviceLost(let path): return "\(name(path.printable)) is gone"
        case .deviceUnopenable(let path): return "\(name(path.printable)) cannot be opened"
        case .deviceSilent(let path): return "\(name(path.printable)) sends no readable data"
        case .deviceBabbling(let path): return "\(name(path.printable)) sends unrecognized data"
        case .noDevice: return "no receiver"
        case .unanswered: return "which sends nothing, and is perhaps not a gpsd"
        case .starting, .connecting, .connected, .noFix, .unsuitable, .silent, nil: break
        }
        guard let receiver else { return nil }
        let kind = receiver.kind.map(name)
        // The path of a serial receiver and the name of a simulated one are already the source.
        if let source, source.isLive, source.endpoint == nil { return kind }
        let path = name(receiver.path.printable)
        return kind.map { "\($0) on \(path)" } ?? path
    }
}

extension DeviceStatus {
    /// The model of the receiver: the module name that the firmware reports, or else the start of its version text.
    var model: String? {
        guard let subtype = subtype?.printable, !subtype.isEmpty else { return nil }
        for field in subtype.split(whereSeparator: { $0 == "," || $0 == " " }) where field.hasPrefix("MOD=") {
            let name = field.dropFirst("MOD=".count)
            // The part after the second hyphen is the variant, as in NEO-M8N-0.
            let module = name.split(separator: "-").prefix(2).joined(separator: "-")
            if !module.isEmpty { return String(module.prefix(24)) }
        }
        return String(subtype.prefix { $0 != "," }.prefix(24))
    }

    /// The driver and the model, as in `u-blox NEO-M8N`; `nil` while neither is known.
    var kind: String? {
        let words = [driver?.printable, model].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
