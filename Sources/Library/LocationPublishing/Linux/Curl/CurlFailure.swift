import CCurl
import LocwatchPlatform

/// A failed transfer, as libcurl reports it.
struct CurlFailure {
    var code: CURLcode
    /// The text for this failure, which is empty for some.
    var message: String
    /// The general text for the result.
    var text: String
    /// The errno of a connection that failed, or 0.
    var systemError: Int
    /// The result of the verification of the server's certificate, as a number of OpenSSL.
    var verification: Int
    /// Whether the connection was established, and encrypted if it should be.
    var isConnected: Bool

    /// Returns a message without the duration that libcurl adds to it, so that the same failure has the same words.
    private static func withoutDuration(_ message: String) -> String {
        let words = message.split(separator: " ", omittingEmptySubsequences: false)
        guard let after = words.firstIndex(of: "after"), after + 2 < words.count, Int(words[after + 1]) != nil,
            words[after + 2].hasPrefix("ms")
        else { return message }
        let rest = words[(after + 2)...].joined(separator: " ").dropFirst("ms".count)
        return words[..<after].joined(separator: " ") + rest
    }

    /// Returns the error that the failure of a request stands for.
    func error(for request: HTTPRequest) -> HTTPError {
        let url = request.url
        let cause = message.isEmpty ? text : Self.withoutDuration(message)
        let isDirect =
            cause.hasPrefix("Failed to connect to \(url.host) port ") && !cause.split(separator: " ").contains("via")
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .unresolvable(host: url.host, port: url.port, cause: cause)
        case CURLE_COULDNT_RESOLVE_PROXY:
            return .unresolvable(host: "the proxy to \(url.host)", port: url.port, cause: cause)
        case CURLE_COULDNT_CONNECT where systemError != 0 && isDirect:
            // libcurl's text says again where, and not why.
            let reason = SystemFailure("connect", code: Int32(clamping: systemError)).reason
            return .unreachable(host: url.host, port: url.port, cause: reason)
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY:
            return .unreachable(host: url.host, port: url.port, cause: cause)
        case CURLE_OPERATION_TIMEDOUT:
            let limits = request.ownLimits
            // libcurl has one result for both limits. Without a connection it was the one that passes first.
            return isConnected || limits.timeout <= limits.connectionTimeout
                ? .timeout(limit: limits.timeout) : .connectionTimeout(limit: limits.connectionTimeout)
        case CURLE_PEER_FAILED_VERIFICATION: return .tls(host: url.host, .certificateFault(verification))
        case CURLE_SSL_CACERT_BADFILE: return .tls(host: url.host, .authorityFile(cause: cause))
        case CURLE_SSL_CERTPROBLEM: return .tls(host: url.host, .clientCertificate(cause: cause))
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ISSUER_ERROR,
            CURLE_USE_SSL_FAILED:
            return .tls(host: url.host, .handshake(cause: cause))
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE:
            return .connectionLost(host: url.host, port: url.port, cause: cause)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_CHUNK_FAILED:
            return .malformedResponse(host: url.host, port: url.port, cause: cause)
        case CURLE_FILESIZE_EXCEEDED: return .tooLarge(limit: request.ownLimits.responseSize)
        default: return .other(cause: cause)
        }
    }
}
