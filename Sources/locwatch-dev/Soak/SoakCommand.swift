/// Runs sessions under random faults, and checks their states and that neither memory nor descriptors grow.
struct SoakCommand: DeveloperCommand {
    static let name = "soak"
    static let operands = "[--seconds N] [--seed N]"
    static let summary = "run sessions under random faults, and check states, memory and descriptors"

    private let options: SoakOptions

    init(_ operands: [String]) throws {
        guard let options = SoakOptions(operands) else { throw UsageError() }
        self.options = options
    }

    func run() throws {
        print("soak of \(options.seconds) s, seed \(options.seed)")
        let faults = try Soak(options).run()
        for fault in faults { print("WRONG: \(fault)") }
        if !faults.isEmpty { throw SoakFailure(count: faults.count) }
    }
}

/// A soak in which something was wrong.
struct SoakFailure: Error, CustomStringConvertible {
    let count: Int

    var description: String { "\(count) checks failed" }
}
