import CMosquitto
import Glibc
@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct MosquittoFailureTests {
    private let settings = with(MQTTSettings(host: "h", port: 8883, clientID: "test")) { $0.encryption = .init() }

    private func error(
        _ code: mosq_err_t, errno: Int32 = 0, at stage: MosquittoFailure.Stage = .unanswered,
        complaints: [String] = [], verification: Int = -1
    ) -> MQTTError {
        let result = MosquittoClient.Result(code: code.rawValue, error: errno)
        return MosquittoFailure(
            stage: stage, result: result, text: "text", complaints: complaints, verification: verification
        ).error(for: settings)
    }

    @Test(
        arguments: [
            (0, .wrongName), (1, .wrongName), (62, .wrongName), (9, .notYetValid), (10, .expired), (23, .revoked),
            (18, .untrusted), (20, .untrusted), (-1, .untrusted),
        ] as [(Int, HTTPTLSFault.Reason)])
    func `a refused certificate has the reason that OpenSSL gives`(verification: Int, fault: HTTPTLSFault.Reason) {
        let line = "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"
        #expect(
            error(MOSQ_ERR_CONN_LOST, errno: EPROTO, complaints: [line], verification: verification)
                == .tls(host: "h", fault))
    }

    @Test(
        arguments: [
            ("Error: host name verification failed.", .wrongName),
            (
                "OpenSSL Error[0]: error:0A00045C:SSL routines::tlsv13 alert certificate required",
                .clientCertificate(cause: "tlsv13 alert certificate required")
            ),
            (
                "OpenSSL Error[0]: error:0A000418:SSL routines::tlsv1 alert unknown ca",
                .clientCertificate(cause: "tlsv1 alert unknown ca")
            ),
            (
                "OpenSSL Error[0]: error:0A00010B:SSL routines::wrong version number",
                .handshake(cause: "wrong version number")
            ),
            ("OpenSSL Error[0]: nonsense", .handshake(cause: "OpenSSL Error[0]: nonsense")),
            ("", .handshake(cause: "")),
        ] as [(String, HTTPTLSFault.Reason)])
    func `a failed handshake has the reason that was logged`(line: String, fault: HTTPTLSFault.Reason) {
        #expect(error(MOSQ_ERR_CONN_LOST, errno: EPROTO, complaints: [line]) == .tls(host: "h", fault))
        #expect(error(MOSQ_ERR_ERRNO, errno: EPROTO, complaints: [line]) == .tls(host: "h", fault))
    }

    @Test func `the end of a connection is not taken for a failure of its encryption`() {
        let line = "OpenSSL Error[0]: error:0A000126:SSL routines::unexpected eof while reading"
        // Which of the two it is depends on whether OpenSSL or the system notices the end first.
        for code in [MOSQ_ERR_CONN_LOST, MOSQ_ERR_TLS] {
            #expect(
                error(code, errno: EPROTO, complaints: [line])
                    == .connectionLost(cause: "the server closed the connection without an answer"))
        }
        #expect(error(MOSQ_ERR_TLS) == .tls(host: "h", .handshake(cause: "text")))
        #expect(
            error(MOSQ_ERR_CONN_LOST, errno: EPROTO, at: .open, complaints: [line])
                == .connectionLost(cause: "the broker closed the connection"))
    }

    @Test(arguments: [MosquittoFailure.Stage.resolving, .unanswered])
    func `a write that was interrupted without a reason is a lost connection`(stage: MosquittoFailure.Stage) {
        #expect(
            error(MOSQ_ERR_ERRNO, errno: EPROTO, at: stage)
                == .connectionLost(cause: "the server closed the connection without an answer"))
    }

    @Test func `other results have their error`() {
        #expect(error(MOSQ_ERR_EAI, at: .resolving) == .unresolvable(host: "h"))
        #expect(
            error(MOSQ_ERR_ERRNO, errno: ENETUNREACH, at: .resolving)
                == .unreachable(host: "h", port: 8883, cause: "Network is unreachable"))
        #expect(error(MOSQ_ERR_PROTOCOL) == .notABroker)
        #expect(error(MOSQ_ERR_PROTOCOL, at: .open) == .connectionLost(cause: "the broker sent a malformed packet"))
        #expect(error(MOSQ_ERR_KEEPALIVE, at: .open) == .connectionLost(cause: "the broker does not answer"))
        #expect(error(MOSQ_ERR_NOMEM) == .other(cause: "text"))
    }
}
