/// The receivers for which something is due, in the order in which it becomes due.
///
/// Everything is due the same time after it is added, so that each operation takes constant time for any number of
/// receivers. What a receiver no longer needs stays in the queue until it is due or comes first.
struct DueQueue: Sendable {
    private var queue = ReusedQueue<(place: Int, due: Moment)>()

    /// Adds the place of a receiver; `due` is not before that of any receiver that was added before.
    mutating func append(_ place: Int, due: Moment) { queue.append((place, due)) }

    /// Returns the moment at which the first receiver is due.
    ///
    /// - Parameter isDue: Returns whether a receiver is still due at a moment.
    mutating func first(where isDue: (_ place: Int, _ due: Moment) -> Bool) -> Moment? {
        while let first = queue.first {
            if isDue(first.place, first.due) { return first.due }
            _ = queue.popFirst()
        }
        return nil
    }

    /// Removes the first receiver that is due at a moment, or earlier, and returns its place and the moment.
    mutating func popFirst(dueAt moment: Moment) -> (place: Int, due: Moment)? {
        guard let first = queue.first, first.due <= moment else { return nil }
        return queue.popFirst()
    }
}
