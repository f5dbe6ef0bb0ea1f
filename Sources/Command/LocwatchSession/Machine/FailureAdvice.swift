package import LocationCore
package import LocwatchArguments
package import LocwatchPrinting
import LocwatchTerminal

/// The advice on the failures of a session: the first steps of `doctor`, where the machine tells more than the error.
package struct FailureAdvice {
    private let source: SourceWord
    private let machine: (any ExaminedMachine)?
    /// The advice if no gpsd answers, and if it has no receiver, from what was seen before the program was confined.
    private var ofAbsence: String?
    private var ofMissingReceiver: String?

    package init(for source: SourceWord, on machine: (any ExaminedMachine)?) {
        self.source = source
        self.machine = machine
    }

    /// Looks at the receivers of the machine, if they matter for the source: a confined program cannot list them.
    package mutating func prepare() {
        guard let machine, source.isLocalDaemon else { return }
        if source.hasUsualPort {
            let step = GPSDObstacle.absence("", machine, asksSystemd: false).remedy.first ?? ""
            // The step is a sentence or a command.
            let words = step.hasPrefix("sudo ") ? "try '\(step)'" : step
            ofAbsence = words + (source.doctor.map { ", or \($0)" } ?? "")
        }
        ofMissingReceiver = FirstContact(machine).step
    }

    /// Returns the message of an error and the advice on it.
    package func text(_ error: LocationError) -> ErrorText {
        var text = ErrorText(error, of: source)
        if let advice = advice(on: error) { text.advice = advice.printable }
        return text
    }

    /// The advice about a gpsd without a receiver, if the machine has one that it could read.
    package var onMissingReceiver: String? { ofMissingReceiver?.printable }

    private func advice(on error: LocationError) -> String? {
        switch error {
        case .unreachable: ofAbsence
        case .noFix(.noPosition(_, .noDevice)): ofMissingReceiver
        case .deviceUnusable(let path, .missing), .deviceUnusable(let path, .notPermitted):
            machine.flatMap { DeviceObstacle.find(at: path, for: $0.user, $0) }.map(words)
        case .deviceUnusable(let path, .busy):
            machine.map { DeviceObstacle.find(at: path, for: nil, $0) ?? DeviceObstacle.heldByOthers(path, $0) }
                .map(words)
        default: nil
        }
    }

    private func words(_ finding: Finding) -> String {
        let rest = finding.remedy.count > 2 ? source.doctor.map { "; for the rest see \($0)" } ?? "" : ""
        return (finding.why.map { "\($0); " } ?? "") + finding.advice + rest
    }
}
