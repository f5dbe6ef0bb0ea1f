@testable import LocationCore

@testable import LocwatchArguments

extension EventPrinter {
    /// Prints an update that no tracker has made, with a view that knows the reports so far.
    mutating func print(_ update: TrackedUpdate, noting view: inout SessionView, into out: inout TextBuffer) {
        if case .update(let source, _) = update { view.process(source) }
        print(update, view, into: &out)
    }
}
