import LocwatchArguments
package import LocwatchTerminal

/// The answer of a check of `doctor`, and the source of the advice on a failure.
package struct Finding: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable {
        /// The checked part is in order.
        case ok
        /// A problem that does not prevent a fix.
        case remark
        /// A problem that prevents a fix.
        case fault
        /// The check does not apply.
        case moot
        /// The check needs more events; never the answer once an observation is over.
        case wait
    }

    package var result: Result
    /// The checked object and its state.
    package var found = ""
    /// The cause in a sentence, or `nil` if nothing is wrong.
    package var why: String?
    /// The commands and steps that solve the problem, in order.
    package var remedy: [String] = []
    /// The fault in a few words, if they differ from `found`.
    package var brief: String?
    /// The exit code of the program, for faults only.
    package var code = ExitCode.done

    package static let wait = Finding(result: .wait)
    package static let moot = Finding(result: .moot)

    package static func ok(_ found: String) -> Finding { Finding(result: .ok, found: found) }

    package static func remark(_ found: String, why: String, remedy: String...) -> Finding {
        .remark(found, why: why, remedy: remedy)
    }

    package static func remark(_ found: String, why: String, remedy: [String]) -> Finding {
        Finding(result: .remark, found: found, why: why, remedy: remedy)
    }

    package static func fault(
        _ code: ExitCode, _ found: String, brief: String? = nil, why: String, remedy: String...
    ) -> Finding {
        .fault(code, found, brief: brief, why: why, remedy: remedy)
    }

    package static func fault(
        _ code: ExitCode, _ found: String, brief: String? = nil, why: String, remedy: [String]
    ) -> Finding {
        Finding(result: .fault, found: found, why: why, remedy: remedy, brief: brief, code: code)
    }
}
