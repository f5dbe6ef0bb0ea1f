import Glibc
package import LocwatchTerminal

/// A consumer whose output goes through a channel to standard output.
package protocol PrintingConsumer: SessionConsumer {
    var output: OutputChannel { get }
}

extension PrintingConsumer {
    package func flush() throws(OutputFailure) { try output.flush() }
    package func addDescriptors(to set: inout PollSet) { output.addDescriptor(to: &set) }
    package func respond(to set: PollSet) throws(OutputFailure) { try output.check(set) }
}

/// A watch on the reader of standard output, for a consumer that writes to it on another thread.
package struct ReaderWatch {
    private let descriptor: Int32

    /// Creates a watch.
    ///
    /// - Parameter isNeeded: Whether standard output is used; if not, nothing is watched.
    package init(_ console: Console, isNeeded: Bool) { descriptor = isNeeded ? console.output : -1 }

    package func addDescriptor(to set: inout PollSet) { set.add(descriptor) }

    /// Throws if the reader has closed the output.
    package func check(_ set: PollSet) throws(OutputFailure) {
        if set.isReady(descriptor, POLLERR) { throw .readerGone }
    }
}
