package import LocationCore
import LocwatchPlatform

extension RecordingSource {
    /// Reads all bytes of a recording, which must fit into memory; throws `cancelled` when the task is cancelled.
    package func contents() async throws(LocationError) -> [UInt8] {
        if case .bytes(let bytes, _) = self { return bytes }
        let source = self
        let stop: Event
        do throws(SystemFailure) { stop = try Event() } catch { throw .unreadable(name, error.code) }
        // A pipe may have nothing to read for a long time.
        let result: Result<[UInt8], LocationError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(SystemFailure) {
                    try NativeThread.start {
                        continuation.resume(
                            returning: Result { () throws(LocationError) in
                                try RecordingInput(source, reading: InputReading())?.contents(until: stop) ?? []
                            })
                    }
                } catch {
                    continuation.resume(returning: .failure(.unreadable(name, error.code)))
                }
            }
        } onCancel: {
            stop.happen()
        }
        return try result.get()
    }
}
