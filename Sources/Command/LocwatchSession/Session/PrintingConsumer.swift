import Glibc
package import LocationCore
package import LocwatchArguments
package import LocwatchPlatform
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

    package var channel: OutputChannel? { output }
}

extension SessionWait {
    /// Adds a channel to standard output, unless the output has failed.
    package mutating func add(_ output: OutputChannel) {
        if !outputHasFailed { output.addDescriptor(to: &descriptors) }
    }

    /// Adds an output whose reader is watched, unless the output has failed.
    fileprivate mutating func add(watched output: Int32) {
        if !outputHasFailed { add(output) }
    }
}

/// A watch on the reader of standard output, beside a consumer that writes to it on another thread.
package final class ReaderWatch: SessionConsumer {
    private let descriptor: Int32

    package init(_ console: Console) { descriptor = console.output }

    package func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? { nil }

    package func prepare(_ wait: inout SessionWait) { wait.add(watched: descriptor) }

    package func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason? {
        if ready.hasLostReader(of: descriptor) { throw .readerGone }
        return nil
    }
}
