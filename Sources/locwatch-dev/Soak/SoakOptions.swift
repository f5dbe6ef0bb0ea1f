/// The options of a soak.
struct SoakOptions: Hashable, Sendable {
    /// The duration in seconds.
    var seconds = 3600
    /// The seed that determines the order of the faults.
    var seed: UInt64 = 1

    /// Reads a command line, or returns `nil` if it is malformed.
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
