/// The options of a soak.
struct SoakOptions: Hashable, Sendable {
    /// The duration in seconds.
    var seconds = 3600
    /// The seed of the random faults; the same seed produces the same faults.
    var seed: UInt64 = 1

    static let usage = """
        usage: locwatch-soak [--seconds N] [--seed N]

        Runs sessions of locwatch under random faults and checks that their states agree with the receivers and that
        neither memory nor descriptors grow.
        """

    /// Parses a command line, or returns `nil` if it is invalid.
    init?(_ arguments: some Sequence<String>) {
        var rest = Array(arguments)[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch (name, UInt64(value)) {
            case ("--seconds", let number?) where number > 0 && number < 1 << 31: seconds = Int(number)
            case ("--seed", let number?): seed = number
            default: return nil
            }
        }
    }
}
