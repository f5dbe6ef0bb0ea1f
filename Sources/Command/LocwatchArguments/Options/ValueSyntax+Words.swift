package import GPSDSimulation
package import LocationCore
import LocationGPSD
package import GPSDProtocol
package import LocationTracks
import LocwatchTerminal

/// The value of `--columns`.
package enum ChosenColumns: Hashable, Sendable {
    case csv(CSVColumns)
    /// The sentences of NMEA, which release 0.5 had in this option.
    case sentences(Set<NMEASentenceType>)
}

extension ValueSyntax where Value == Set<NMEASentenceType> {
    /// The syntax of types of NMEA sentences separated by commas.
    package static let sentences = ValueSyntax(
        "TYPE,...", completion: .words(NMEASentenceType.allCases.map(\.rawValue)),
        allowed: "types from \(NMEASentenceType.allCases.map(\.rawValue).joined(separator: ",")), each once"
    ) { NMEASentenceType.types(in: $0) }
}

extension ValueSyntax where Value == ChosenColumns {
    /// The syntax of names of CSV columns separated by commas, or `all`.
    package static let columns = ValueSyntax("NAME,...", completion: .words(CSVColumns.known + ["all"])) {
        text throws(UsageError) in
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if names == ["all"] { return .csv(.all) }
        if let columns = CSVColumns(names) { return .csv(columns) }
        if let types = NMEASentenceType.types(in: text) { return .sentences(types) }
        let unknown = names.first { !CSVColumns.known.contains($0) }
        guard let unknown else { throw UsageError(allowed: "each column once") }
        throw UsageError(
            allowed: "another column than \"\(unknown.printable)\"; --columns all shows every name",
            suggestion: Spelling.nearest(to: unknown, among: CSVColumns.known))
    }
}

extension ValueSyntax where Value == String {
    package static let path = path("FILE", .file, "the path of a file")
    package static let device = path("PATH", .device, "the path of a device, as in /dev/ttyACM0")
    /// A text that a command reads.
    package static let word = ValueSyntax("WORD") { text throws(UsageError) in text }
    /// A path that is made.
    package static let socket = path("PATH", .file, "a path")

    private static func path(
        _ placeholder: String, _ completion: ValueCompletion, _ allowed: String
    ) -> ValueSyntax {
        ValueSyntax(placeholder, completion: completion, allowed: allowed) { $0.isEmpty ? nil : $0 }
    }

    /// Returns the syntax of the path of a file whose name usually has one of the endings.
    package static func path(ending endings: [String]) -> ValueSyntax {
        ValueSyntax(path.placeholder, completion: .fileEnding(endings), read: path.read)
    }
}

extension ValueSyntax where Value == StandInStep {
    package static let fault = ValueSyntax(
        "NAME[=VALUE][@TIME][/EVERY][~SEED]", completion: .words(StandInWord.faults.map(\.name))
    ) { text throws(UsageError) in
        do throws(SimulationError) { return try StandInStep(fault: text) } catch {
            throw UsageError(secretValue: error.reason)
        }
    }
}

package enum PaceChoice: Hashable, Sendable {
    case pace(ReplayPace)
    /// Time passes only when a test says so, in `serve`.
    case manual
}

extension ValueSyntax where Value == PaceChoice {
    package static let pace = ValueSyntax(
        "recorded|max|Nx|manual", completion: .words(["recorded", "max", "10x", "manual"])
    ) { text throws(UsageError) in
        switch text.lowercased() {
        case "recorded": return .pace(.recorded)
        case "max": return .pace(.max)
        case "manual": return .manual
        case let lowered:
            if lowered.hasSuffix("x"), let times = PlainNumber.read(lowered.dropLast()), 0.001...1e6 ~= times {
                return .pace(.times(times))
            }
            throw UsageError(
                allowed: "recorded, max, a factor such as 10x or 0.5x, or, for serve only, manual",
                suggestion: Spelling.nearest(to: lowered, among: ["recorded", "max", "manual"]))
        }
    }
}

extension ValueSyntax where Value == Int {
    static let bytesPerUnit: [String: Double] = [
        "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824,
    ]

    package static let byteCount = ValueSyntax("SIZE", allowed: "a size such as 64MiB or 100MB, at least 1MB") { text in
        guard let (number, unit) = PlainNumber.quantity(text), let scale = bytesPerUnit[unit],
            1e6...1e15 ~= number * scale
        else { return nil }
        return Int(clamping: number * scale)
    }
}

extension ValueSyntax where Value == TrackRotation {
    package static let rotation = ValueSyntax(
        "day|hour|stop|TIME|SIZE", completion: .words(CalendarPeriod.allCases.map(\.rawValue) + ["stop"]),
        allowed: "day, hour, stop, stop=10m, a duration such as 1h (at least 1s), or a size such as 10MB (at least 1kB)"
    ) { text in
        let stop = "stop="
        if text == "stop" { return .stop(.seconds(300)) }
        if text.hasPrefix(stop) {
            return DurationText.read(String(text.dropFirst(stop.count))).flatMap { $0 >= .seconds(1) ? .stop($0) : nil }
        }
        if let period = CalendarPeriod(rawValue: text) { return .calendar(period) }
        if let (number, unit) = PlainNumber.quantity(text), let scale = ValueSyntax<Int>.bytesPerUnit[unit] {
            return 1000...1e15 ~= number * scale ? .size(Int(clamping: number * scale)) : nil
        }
        // A bare number is ambiguous.
        guard text.last?.isLetter == true, let duration = DurationText.read(text), duration >= .seconds(1)
        else { return nil }
        return .duration(duration)
    }
}

extension ValueSyntax where Value == TileSource {
    package static let tiles = ValueSyntax(
        "FILE|URL", completion: .fileEnding([".mbtiles"]),
        allowed: "an MBTiles file, or an address with {z}, {x} and {y}, as in https://tile.example/{z}/{x}/{y}.png"
    ) { TileSource($0) }
}

extension ValueSyntax where Value == ListenAddress {
    package static let listenAddress = ValueSyntax(
        "ADDRESS[:PORT]", allowed: "an address such as 127.0.0.1, 0.0.0.0:2948 or [::1]:2948"
    ) { text in
        // Port 0 marks an omitted port; an explicit port 0 is rejected.
        guard let endpoint = try? GPSDEndpoint(parsing: text, defaultPort: "0"), endpoint.device == nil,
            !endpoint.lacksBrackets(in: text), let port = Int(endpoint.port)
        else { return nil }
        return ListenAddress(host: endpoint.host, port: port == 0 ? nil : port)
    }
}
