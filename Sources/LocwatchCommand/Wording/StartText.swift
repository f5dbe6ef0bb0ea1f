import LocationCore

/// What a session begins with, as in `gpsd 3.22 at localhost:2947, u-blox NEO-M8 on /dev/ttyACM0`.
struct StartText {
    var source: SourceWord?
    /// The release of the daemon, if it told one.
    var release: String?
    var receiver: DeviceStatus?
    /// Why there is no position, if that is worth saying.
    var reason: SearchReason?

    /// The words, fitted to a width.
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
        case .deviceSilent(let path): return "\(name(path.printable)) sends nothing readable"
        case .deviceBabbling(let path): return "\(name(path.printable)) sends bytes that no driver knows"
        case .noDevice: return "no receiver"
        case .starting, .connecting, .connected, .noFix, .silent, nil: break
        }
        guard let receiver else { return nil }
        let kind = receiver.kind.map(name)
        // The path of a serial receiver is its source, and that of a simulated one says nothing.
        if let source, source.isLive, source.endpoint == nil { return kind }
        let path = name(receiver.path.printable)
        return kind.map { "\($0) on \(path)" } ?? path
    }
}

extension DeviceStatus {
    /// The model of the receiver: the module's name if the firmware tells it, or else the beginning of what it tells.
    var model: String? {
        guard let subtype = subtype?.printable, !subtype.isEmpty else { return nil }
        for field in subtype.split(whereSeparator: { $0 == "," || $0 == " " }) where field.hasPrefix("MOD=") {
            let name = field.dropFirst("MOD=".count)
            // Behind the second hyphen is the variant, as in NEO-M8N-0.
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
