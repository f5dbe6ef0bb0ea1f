/// The next deadline of each of many devices, as a binary heap.
///
/// Setting a deadline later takes constant time, because an entry that comes up too early is moved back only then. A
/// session of 10,000 devices that report each second would otherwise reorder the heap with every report.
struct DeadlineHeap: Hashable, Sendable {
    private struct Deadline: Hashable {
        let due: Moment
        let place: Int

        func precedes(_ other: Deadline) -> Bool {
            due.elapsed == other.due.elapsed ? place < other.place : due.elapsed < other.due.elapsed
        }
    }

    private var entries: [Deadline] = []
    /// The time of the valid entry of each device; any other entry of the device is void.
    private var scheduled: [Duration?] = []

    /// A moment that is not later than the first deadline, or `nil` if there is no deadline.
    var first: Moment? { entries.first?.due }

    /// Notes the deadline of the device at a place.
    mutating func set(_ deadline: Moment?, of place: Int) {
        while scheduled.count <= place { scheduled.append(nil) }
        guard let deadline else { return }
        if let known = scheduled[place], known <= deadline.elapsed { return }
        scheduled[place] = deadline.elapsed
        push(Deadline(due: deadline, place: place))
    }

    /// Removes and returns the device with the first deadline if it has passed.
    mutating func pop(until moment: Moment, deadline: (Int) -> Moment?) -> (place: Int, due: Moment)? {
        while let entry = entries.first, entry.due <= moment {
            removeFirst()
            guard scheduled[entry.place] == entry.due.elapsed else { continue }
            scheduled[entry.place] = nil
            guard let present = deadline(entry.place) else { continue }
            if present <= entry.due { return (entry.place, present) }
            set(present, of: entry.place)
        }
        return nil
    }

    private mutating func push(_ entry: Deadline) {
        entries.append(entry)
        var index = entries.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard entries[index].precedes(entries[parent]) else { return }
            entries.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        var index = 0
        while true {
            var least = index
            for child in 2 * index + 1...2 * index + 2 where child < entries.count {
                if entries[child].precedes(entries[least]) { least = child }
            }
            guard least != index else { return }
            entries.swapAt(index, least)
            index = least
        }
    }
}
