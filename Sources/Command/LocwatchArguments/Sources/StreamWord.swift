import LocationGPSD
import LocationPublishing

/// The part of the URL of a stream after its scheme, as a SOURCE word and the corrections of a receiver have it.
struct StreamWord {
    let address: StreamAddress
    let hasPort: Bool

    init(_ word: String, scheme: StreamAddress.Scheme) throws(UsageError) {
        let parts: TargetWordParts
        do throws(PublishError) {
            parts = try TargetWordParts(word[...], allowsEmptyHost: scheme == .udp)
        } catch {
            // The word may contain a password.
            throw error == .password ? UsageError(secretValue: error.description) : UsageError(value: error.description)
        }
        var mountpoint: String?
        if scheme == .ntrip {
            mountpoint = String(parts.rest.drop { $0 == "/" })
            guard let mountpoint, !mountpoint.isEmpty, mountpoint.utf8.allSatisfy({ 0x21..<0x7F ~= $0 }),
                !mountpoint.utf8.contains(where: { "\"\\@".utf8.contains($0) })
            else { throw UsageError(value: "expected a mountpoint, as in ntrip://anna@caster.example:2101/MOUNT") }
        } else {
            guard parts.user == nil, parts.rest.isEmpty || parts.rest == "/" else {
                throw UsageError(value: "expected a host and a port only, as in \(scheme.rawValue)://localhost:10110")
            }
        }
        address = StreamAddress(scheme, host: parts.host, port: parts.port, user: parts.user, mountpoint: mountpoint)
        hasPort = parts.port != nil
    }
}
