import LocationPublishing
import LocwatchTerminal

/// The words for faults that targets of several kinds have.
enum TargetFaultText {
    /// Returns the finding about a name that has no address.
    static func unknownName(_ found: String) -> TargetDoctor.Result {
        (
            .name,
            .fault(
                .unavailable, found, why: "no name server knows the name, or none answers",
                remedy: ["check the name, and the network"])
        )
    }

    /// Returns the finding about an encrypted connection that could not be established.
    static func encryption(_ fault: HTTPTLSFault, _ found: String) -> TargetDoctor.Result {
        let (why, remedy): (String, String) =
            switch fault {
            case .untrusted:
                ("its authority is not among the trusted ones", "give the authority's certificate with ?ca-file=FILE")
            case .wrongName:
                ("the certificate is for another name", "use the name in the certificate as the host of the target")
            case .expired: ("the certificate is too old, or this machine's clock is wrong", "renew it, or check 'date'")
            case .notYetValid: ("this machine's clock can be wrong", "check 'date'")
            case .revoked: ("its authority has revoked the certificate", "renew it")
            case .authorityFile: ("the file of ?ca-file is needed", "check that it exists and is in PEM form")
            case .clientCertificate:
                (
                    "the server or the library rejects the client's certificate",
                    "give one that it accepts with ?cert=FILE,KEY"
                )
            case .handshake:
                (
                    "client and server do not agree",
                    "check the port; a server without TLS needs the scheme without the s"
                )
            }
        return (.encryption, .fault(.unavailable, found, why: why, remedy: [remedy]))
    }
}
