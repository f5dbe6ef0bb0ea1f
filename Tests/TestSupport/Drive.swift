package import Glibc
package import Testing

/// Repeats a step until a condition holds; fails the test after a minute.
///
/// Between two steps it waits until a descriptor is ready, for 20 ms at most, or not at all while there is more to do.
///
/// - Parameters:
///   - isSo: The condition.
///   - state: The state that a failure shows.
///   - location: The place of the call in the test.
///   - step: Performs the work that is possible, and returns the descriptors to wait for, and whether there is more to do.
package func drive(
    until isSo: () throws -> Bool, state: @autoclosure () -> String, location: SourceLocation = #_sourceLocation,
    _ step: () -> (watched: [pollfd], hasMore: Bool)
) throws {
    let end = ContinuousClock.now + .seconds(60)
    while true {
        var (watched, hasMore) = step()
        if try isSo() { return }
        guard ContinuousClock.now < end else {
            let failure = ProgramFailure(description: "not reached: \(state())")
            Issue.record(failure, sourceLocation: location)
            throw failure
        }
        poll(&watched, nfds_t(watched.count), hasMore ? 0 : 20)
    }
}

extension pollfd {
    /// Creates an entry for what a connection or a transport waits for.
    package init(_ poll: (descriptor: Int32, events: Int16)) {
        self.init(fd: poll.descriptor, events: poll.events, revents: 0)
    }
}
