import Glibc
import LocationCore
package import LocwatchArguments
package import LocwatchTerminal

/// A consumer whose output goes through a channel to standard output.
package protocol PrintingConsumer: SessionConsumer {
    var output: OutputChannel { get }
}

extension PrintingConsumer {
    package func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason? {
        try output.check(ready)
        try output.flush()
        return nil
    }

    package func prepare(_ wait: inout SessionWait) { wait.add(output) }
}

extension SessionWait {
    /// Adds a channel to standard output, unless the output has failed.
    package mutating func add(_ output: OutputChannel) {
        if ending?.hasFailedOutput != true { output.addDescriptor(to: &descriptors) }
    }
}

/// A watch on the reader of standard output, for a consumer that writes to it on another thread.
package struct ReaderWatch {
    private let descriptor: Int32

    /// - Parameter isNeeded: Whether standard output is used; if not, nothing is watched.
    package init(_ console: Console, isNeeded: Bool) { descriptor = isNeeded ? console.output : -1 }

    package func addDescriptor(to set: inout PollSet) { set.add(descriptor) }

    /// Throws if the reader has closed the output.
    package func check(_ set: PollSet) throws(OutputFailure) {
        if set.isReady(descriptor, POLLERR) { throw .readerGone }
    }
}
