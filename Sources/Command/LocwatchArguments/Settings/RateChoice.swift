import LocationCore

/// The choice of `devices --rate`: a rate for the receiver, or only to be shown its rate.
package enum RateChoice: Hashable, Sendable {
    case show
    /// A rate, by the time between two epochs.
    case set(cycle: Duration)

    /// The rates in epochs a second that can be asked for.
    static let rates = 0.1...100.0
}

extension ValueSyntax where Value == RateChoice {
    package static let rate = ValueSyntax(
        "HERTZ", allowed: "epochs a second from 0.1 to 100, such as 5 or 0.5"
    ) { text in
        guard let (rate, unit) = PlainNumber.quantity(text), unit.isEmpty || unit == "hz", RateChoice.rates ~= rate
        else { return nil }
        return RateChoice.set(cycle: Duration(clampingSeconds: 1 / rate))
    }.or("show", .show)
}
