// The text that `print` and a failed expectation show of a value: every known field, under its name in the lines of
// `--json`.

extension Location: CustomStringConvertible {
    /// The known values of the position, in the form `lat 52.5163, lon 13.3777, mode 3, eph 4`.
    public var description: String { FieldText.text { visitFields(&$0) { _ in } } }
}

extension DilutionOfPrecision: CustomStringConvertible {
    /// The known dilutions.
    public var description: String { FieldText.text { visitFields(&$0) } }
}

extension SkyView: CustomStringConvertible {
    /// The time and the known values of the view and of each satellite.
    public var description: String {
        FieldText.text { text in
            text.time("time", timestamp)
            text.word("device", device)
            text.count("seen", seen)
            text.count("used", used)
            dilution.visitFields(&text)
        } + (satellites.map { "; \($0)" } ?? "")
    }
}

extension Satellite: CustomStringConvertible {
    /// The known values of the satellite.
    public var description: String {
        FieldText.text { text in
            text.word("constellation", constellation.map { "\($0)" })
            text.count("number", number)
            text.count("prn", prn)
            text.count("sigid", signalBand)
            text.count("freqid", frequencySlot)
            text.number("el", elevation, .other)
            text.number("az", azimuth, .other)
            text.number("ss", signal, .other)
            text.number("prRes", residual, .other)
            text.mark("used", isUsed)
            text.word("health", health.map { "\($0)" })
            text.count("qual", quality)
        }
    }
}

private struct FieldText: LocationFieldVisitor {
    private var parts: [String] = []

    var wantsAbsent: Bool { false }

    static func text(_ visit: (inout FieldText) -> Void) -> String {
        var text = FieldText()
        visit(&text)
        return text.parts.joined(separator: ", ")
    }

    private mutating func put(_ name: StaticString, _ value: String?) {
        if let value { parts.append("\(name) \(value)") }
    }

    mutating func time(_ name: StaticString, _ value: Timestamp?) { put(name, value?.description) }
    mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis) { put(name, value.plain) }
    mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity) { put(name, value?.plain) }
    mutating func count(_ name: StaticString, _ value: Int?) { put(name, value.map { "\($0)" }) }
    mutating func word(_ name: StaticString, _ value: String?) { put(name, value.map(VisibleText.of)) }
    mutating func mark(_ name: StaticString, _ value: Bool) { if value { parts.append("\(name)") } }
}

extension Double {
    /// The number without a fraction of zero; every other digit is kept, so that numbers that differ look different.
    fileprivate var plain: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
