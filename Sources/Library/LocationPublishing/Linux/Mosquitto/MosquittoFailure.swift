import CMosquitto
import Glibc
import LocwatchPlatform

/// A failed call of libmosquitto, with what is known about the connection.
struct MosquittoFailure {
    enum Stage {
        /// The host is being resolved, and the files of the encryption are being read.
        case resolving
        /// The broker has not accepted the client yet.
        case unanswered
        /// The broker has accepted the client.
        case open
    }

    /// The cause of a connection that ended before the broker answered.
    static let noAnswer = "the server closed the connection without an answer"

    var stage: Stage
    var result: MosquittoClient.Result
    /// libmosquitto's text for the result.
    var text: String
    /// The errors that libmosquitto has logged.
    var complaints: [String] = []
    /// OpenSSL's result of the verification of the certificate, or −1 if it is not known.
    var verification = -1

    /// Returns the error that the failure of a connection stands for.
    func error(for settings: MQTTSettings) -> MQTTError {
        switch mosq_err_t(result.code) {
        case MOSQ_ERR_EAI: return .unresolvable(host: settings.host)
        // Whether OpenSSL or the system notices first that the server has closed the connection is a matter of time.
        case MOSQ_ERR_TLS where stage != .open && !complaints.isEmpty && !isEncryptionRefused:
            return .connectionLost(cause: Self.noAnswer)
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE: return .tls(host: settings.host, fault)
        case MOSQ_ERR_KEEPALIVE: return .connectionLost(cause: "the broker does not answer")
        case MOSQ_ERR_OVERSIZE_PACKET: return .connectionLost(cause: "the broker sent a packet of more than 2 MiB")
        case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_MALFORMED_UTF8:
            return stage == .open ? .connectionLost(cause: "the broker sent a malformed packet") : .notABroker
        case MOSQ_ERR_ERRNO where stage != .open && isEncryptionRefused,
            MOSQ_ERR_CONN_LOST where stage != .open && isEncryptionRefused:
            return .tls(host: settings.host, fault)
        case MOSQ_ERR_ERRNO where stage == .resolving && !isHandshakeInterrupted:
            return .unreachable(host: settings.host, port: settings.port, cause: reason)
        case MOSQ_ERR_ERRNO where result.error != 0 && !isHandshakeInterrupted: return .connectionLost(cause: reason)
        case MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN, MOSQ_ERR_ERRNO:
            return .connectionLost(
                cause: stage == .open ? "the broker closed the connection" : Self.noAnswer)
        default: return .other(cause: text)
        }
    }

    /// Whether a host has no address of the family that was tried.
    var isFamilyMissing: Bool {
        // The errno of a bind to an address of another family, for IPv4 and IPv6.
        result.code == MOSQ_ERR_ERRNO.rawValue && [EAFNOSUPPORT, EINVAL].contains(result.error)
    }

    /// Whether the connection ended while OpenSSL wrote, for which libmosquitto has an errno of its own.
    ///
    /// A broker that refuses the certificate of a client closes the connection, which can end a write before the reason is read.
    /// Another attempt finds the reason.
    private var isHandshakeInterrupted: Bool { result.error == EPROTO }

    /// Whether OpenSSL has complained about more than the end of the connection.
    private var isEncryptionRefused: Bool {
        complaints.contains { OpenSSLError($0)?.isEndOfConnection != true }
    }

    private var reason: String { SystemFailure("connect", code: result.error).reason }

    private var fault: HTTPTLSFault.Reason {
        let first = complaints.first ?? text
        if first.hasPrefix("Error: Unable to load CA") { return .authorityFile(cause: first) }
        if first.hasPrefix("Error: host name") { return .wrongName }
        if first.hasPrefix("Error: ") { return .clientCertificate(cause: first) }
        let reasons = complaints.compactMap(OpenSSLError.init)
        if reasons.contains(where: \.isCertificateRefused) { return .certificateFault(verification) }
        if let alert = reasons.first(where: \.isAboutClientCertificate) { return .clientCertificate(cause: alert.text) }
        return .handshake(cause: reasons.first?.text ?? first)
    }
}

/// An error of OpenSSL as libmosquitto logs it, such as `OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed`.
private struct OpenSSLError {
    /// The number of the reason; an alert that the peer has sent has 1000 and its number.
    let reason: UInt32
    let text: String

    /// Parses a line of the log, or returns `nil` if it has another form.
    init?(_ line: String) {
        let parts = line.split(separator: ":", omittingEmptySubsequences: false)
        guard let start = parts.firstIndex(where: { $0.hasSuffix("error") }), start + 1 < parts.count,
            let code = UInt32(parts[start + 1], radix: 16), let text = parts.last, !text.isEmpty
        else { return nil }
        // The lower 23 bits; the others name the library, such as SSL.
        reason = code & 0x7F_FFFF
        self.text = String(text)
    }

    /// Whether the client has refused the certificate of the server.
    var isCertificateRefused: Bool { reason == 134 }

    /// Whether the server has closed the connection without the goodbye of TLS.
    var isEndOfConnection: Bool { reason == 294 }

    /// Whether the server has refused the certificate of the client, or requires one.
    ///
    /// The numbers of the alerts are from RFC 8446, 6: bad_certificate to unknown_ca, and certificate_required.
    var isAboutClientCertificate: Bool {
        switch reason {
        case 1042...1046, 1048, 1116: true
        default: false
        }
    }
}
