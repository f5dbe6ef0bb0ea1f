import LocwatchSupport
import TestSupport

@testable import LocationCore
@testable import LocwatchArguments

extension EventPrinter {
    /// Prints an update that no tracker has made, with a view that knows the reports and the entered fences so far.
    mutating func print(_ update: TrackedUpdate, noting view: inout SessionView, into out: inout TextBuffer) {
        switch update {
        case .update(let source, _): view.process(source)
        case .fence(let event): view.note(event)
        // A tracker knows the position that causes a change before it.
        case .transition(let change):
            guard let location = change.to.location else { break }
            let sky = view.receivers[location.device]?.sky
            view.receivers[location.device, default: ReceiverRecord()].note(location, sky)
        case .deviceTransition, .handover, .integrity, .failureEnded: break
        }
        print(update, view, into: &out)
    }

    /// Returns what this printer prints of updates that no tracker has made.
    func text(of updates: [TrackedUpdate]) -> String {
        var (printer, view, out) = (self, SessionView(), TextBuffer())
        for update in updates.withSkies { printer.print(update, noting: &view, into: &out) }
        return out.text
    }

    /// Returns what this printer prints of events that arrive together.
    func text(of events: LocationEvent...) -> String { text(of: events.map { .update(LocationUpdate($0, at: 1)) }) }
}

extension SessionView {
    /// Makes the fence of an event one that is entered or left.
    fileprivate mutating func note(_ event: FenceEvent) {
        var fences = subjects.fences ?? SubjectFences(FenceMonitor(fences: []))
        if event.kind == .exit {
            fences.remove(event.fence)
        } else if let fence = try? Fence(name: event.fence, shape: .circle(center: event.coordinate, radius: 100)) {
            fences.add(fence)
            _ = fences.update(Location(coordinate: event.coordinate), at: event.moment)
        }
        subjects.fences = fences
    }
}
