package import LocationCore
package import LocwatchPlatform
import LocwatchSupport

/// The things for which a session waits before its next step, to which each consumer adds its own.
package struct SessionWait {
    package var descriptors = PollSet()
    package internal(set) var now: Moment
    /// Whether more input can be read at once, so that nothing is worth showing in between.
    package internal(set) var hasInput = false
    /// Whether a consumer can take no more updates for now; the loop then reads no further from a recording.
    ///
    /// A live source is never stopped.
    package var isFull = false
    /// Whether the output has failed, so that nothing is to be learnt about its reader.
    var outputHasFailed = false
    /// The real time after which the consumers are served although no descriptor is ready.
    package private(set) var limit: Duration?

    init(at now: Moment) { self.now = now }

    /// Begins another wait, with the memory of this one.
    mutating func restart(at now: Moment) {
        descriptors.removeAll()
        (self.now, limit) = (now, nil)
        (hasInput, isFull, outputHasFailed) = (false, false, false)
    }

    /// Adds a descriptor, unless it is negative; without events only its failures are reported.
    package mutating func add(_ descriptor: Int32, _ events: Int32 = 0) { descriptors.add(descriptor, events) }

    package mutating func shorten(to duration: Duration?) { limit.shorten(to: duration) }

    mutating func wait() { descriptors.wait(within: limit) }
}
