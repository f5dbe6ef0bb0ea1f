/// What a soak is to do.
struct SoakOptions: Hashable, Sendable {
    /// For how long.
    var seconds = 3600
    /// Decides which faults come when; the same seed brings the same ones.
    var seed: UInt64 = 1

    static let usage = """
        usage: locwatch-soak [--seconds N] [--seed N]

        Has sessions of locwatch meet faults at random and checks that the state agrees with what the receivers did, and
        that neither memory nor descriptors grow.
        """

    /// Reads a command line; `nil` where it cannot be understood.
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
