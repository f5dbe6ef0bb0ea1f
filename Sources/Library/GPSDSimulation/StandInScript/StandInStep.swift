import LocationCore

/// One step of a script: a command, its time, and its repetition.
package struct StandInStep: Hashable, Sendable {
    /// The mean interval of faults at random that give none.
    static let randomInterval = Duration.seconds(10)

    var command: StandInCommand
    /// The time since the start of the script, or since a control client asked.
    var time = Duration.zero
    /// The interval of the repetitions, or their mean interval if there is a seed; `nil` for a single step.
    var interval: Duration?
    /// The seed of a step at random times.
    var seed: UInt64?
    var text = ""
    var line: Int?

    init(_ command: StandInCommand) { self.command = command }

    /// Parses a fault as `--fault` takes it, such as `garbage=20@10s/5s~7`.
    package init(fault: String) throws(SimulationError) {
        var words = WordReader(fault[...], line: nil)
        self = try words.faultStep()
        text = "fault \(fault)"
        if words.hasMore { throw try words.word("").fault("expected one fault") }
    }

    /// Parses a command of the control port.
    package init(command: String) throws(SimulationError) {
        var words = WordReader(command[...], line: nil)
        self = try words.step(isScript: false)
        text = command
    }

    /// The time for which the answer to the step can wait.
    package var waitingTime: Duration {
        switch command {
        case .wait(_, let limit): limit
        // Each second of a step is played; even a busy machine plays a minute of them in one.
        case .step(let duration): duration / 60
        default: .zero
        }
    }

    /// The step with its place, for messages.
    var description: String { line.map { "line \($0): \(text)" } ?? text }
}
