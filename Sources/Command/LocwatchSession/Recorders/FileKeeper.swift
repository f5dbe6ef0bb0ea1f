import LocwatchArguments
import LocwatchPlatform

/// A consumer that keeps a file with a value of the session, from which the next session goes on.
protocol FileKeeper: SessionConsumer {
    /// The times at which the file is written.
    var kept: KeptFile { get }
    /// The writing of the newest value, or `nil` if that is in the file.
    var writing: KeptFile.Writing? { get }
}

extension FileKeeper {
    func prepare(_ wait: inout SessionWait) { kept.prepare(&wait) { writing } }

    func serve(_ ready: PollSet) -> SessionEnd.Reason? {
        kept.serve(ready)
        return nil
    }

    func linger(_ ending: Ending) -> Bool { kept.linger(ending) { writing } }
}
