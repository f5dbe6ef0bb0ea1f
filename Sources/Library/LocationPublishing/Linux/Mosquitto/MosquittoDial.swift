import LocwatchPlatform

/// A client that connects, or the reason for which it cannot.
struct MosquittoDial: Sendable {
    var client: MosquittoClient
    var result: MosquittoClient.Result

    /// Resolves a host in the background, and begins a connection.
    ///
    /// libmosquitto resolves the host itself, because it compares the name with the certificate, and a name server that does
    /// not answer blocks it for many seconds. A dial that is released ends its client when the thread returns from that.
    static func start(
        _ library: MosquittoLibrary, _ settings: MQTTSettings, _ version: MQTTVersion, over family: AddressFamily
    ) throws(MQTTError) -> Background<Result<MosquittoDial, MQTTError>> {
        do throws(SystemFailure) {
            return try Background {
                Result { () throws(MQTTError) in
                    let client = try MosquittoClient(library, settings, version)
                    return MosquittoDial(client: client, result: client.connect(settings, over: family))
                }
            }
        } catch {
            throw .other(cause: "\(error)")
        }
    }
}
