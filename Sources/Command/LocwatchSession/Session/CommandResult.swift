package import LocationCore
import LocwatchArguments
package import LocwatchTerminal

/// The needs of a command, without which it fails: what its session must give to it, or nothing if the set is empty.
package struct SessionNeeds: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// An answer of a live source, and no failure that lasts while there is no position.
    package static let answer = SessionNeeds(rawValue: 1)
    /// A position.
    package static let position = SessionNeeds(rawValue: 2)
}

/// The result of a command after its session, as its `finish` returns it.
package enum CommandResult {
    /// The command has done what it could with what came.
    ///
    /// - Parameters:
    ///   - positions: The number of positions, for a command that needs one.
    ///   - code: The exit code if the session gave what the command needs.
    case done(positions: Int = 0, code: ExitCode = .done)
    /// The command has found what it looked for, so that the fate of the source does not matter any more.
    case found(ExitCode = .done)
    /// The command lacks what it looked for, for a reason of its own, with advice in place of the usual one.
    case lacking(LocationError, advice: String? = nil)
    /// The command has no answer by its own judgement; this is not said again if the output or standard error has it.
    case unanswered(LocationError)
    /// The command fails for a reason of its own, which is said in any case.
    case failed(LocationError)
}

/// The exit code of a command whose session has ended without an error, or the failure from which it follows.
enum Conclusion: Hashable {
    case code(ExitCode)
    /// The failure for what the command lacks, with advice in place of the usual one.
    case lack(LocationError, advice: String? = nil)
    /// The failure for a missing answer, which the output or standard error can have already.
    case absence(LocationError)
}

extension Ending {
    /// Returns the error that ends a command with a result, if any.
    func error(after result: CommandResult) -> LocationError? {
        switch result {
        case .failed(let error): error
        case .found: isSignal ? error : nil
        case .done, .lacking, .unanswered: error
        }
    }

    /// Returns the exit code or the failure of a command whose session has ended without an error or a signal.
    func conclusion(of result: CommandResult, needing needs: SessionNeeds) -> Conclusion {
        switch result {
        case .found(let code): return .code(code)
        case .lacking(let error, let advice): return .lack(error, advice: advice)
        case .unanswered(let error): return .absence(error)
        case .failed(let error): return .lack(error)
        case .done(let positions, let code):
            // This limit is one of the user, for whatever command.
            if reason == .timeout { return .lack(shortfall) }
            if needs.contains(.answer), let absence { return .absence(absence) }
            // A code of the command weighs more than that there was no position.
            return needs.contains(.position) && positions == 0 && code == .done ? .lack(shortfall) : .code(code)
        }
    }
}
