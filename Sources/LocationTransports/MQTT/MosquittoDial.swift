import Glibc
import LocationPublishing
import LocwatchPlatform
import LocwatchSupport

/// The resolution of a host on a thread of its own, and the beginning of a connection.
///
/// libmosquitto resolves the host itself, because it compares the name with the certificate, and a name server that does not
/// answer blocks it for many seconds. A dial that is released ends its client when the thread returns from that.
final class MosquittoDial: Sendable {
    /// A client that connects, or the reason for which it cannot.
    struct Outcome: Sendable {
        var client: MosquittoClient
        var result: MosquittoClient.Result
    }

    private let outcome = Lock<Result<Outcome, MQTTError>?>(nil)
    private let arrival: Event

    /// Starts the thread.
    init(
        _ library: MosquittoLibrary, _ settings: MQTTSettings, _ version: MQTTVersion, over family: AddressFamily
    ) throws(MQTTError) {
        do throws(SystemFailure) { arrival = try Event() } catch { throw .other(cause: "\(error)") }
        do throws(SystemFailure) {
            try NativeThread.start { [self] in run(library, settings, version, family) }
        } catch {
            throw .other(cause: "\(error)")
        }
    }

    private func run(
        _ library: MosquittoLibrary, _ settings: MQTTSettings, _ version: MQTTVersion, _ family: AddressFamily
    ) {
        let new: Result<Outcome, MQTTError>
        do throws(MQTTError) {
            let client = try MosquittoClient(library, settings, version)
            new = .success(Outcome(client: client, result: client.connect(settings, over: family)))
        } catch {
            new = .failure(error)
        }
        outcome.withLock { $0 = new }
        arrival.happen()
    }

    /// A descriptor that becomes readable with the outcome.
    var descriptor: Int32 { arrival.descriptor }

    /// Returns the outcome once it is known, and forgets it.
    func takeOutcome() -> Result<Outcome, MQTTError>? {
        outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
    }
}
