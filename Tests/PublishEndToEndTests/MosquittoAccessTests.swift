import Foundation
import Glibc
import LocationPublishing
import TestSupport
import Testing

/// Clients that mosquitto admits or refuses, and certificates.
@Suite(.serialized, .alone, .onlyInMakeTest) struct MosquittoAccessTests {
    /// Returns the reason for which nothing is sent to a broker, and whether it is tried again only minutes later.
    private func obstacle(_ settings: MQTTSettings) throws -> (cause: String, isHeld: Bool) {
        let publisher = try Publisher(settings, count: 1)
        return (try publisher.obstacle(), publisher.isHeld)
    }

    /// Returns the reason for which a broker refuses the certificate of a client.
    ///
    /// In TLS 1.3 a client is connected before the server has seen its certificate, and a reset can overtake the server's reason.
    /// The connection is then lost, and the next attempt finds the reason.
    private func refusal(_ settings: MQTTSettings) throws -> String {
        for _ in 0..<50 {
            let (cause, isHeld) = try obstacle(settings)
            if isHeld { return cause }
            try #require(cause.hasPrefix("connection lost: "))
        }
        return "none"
    }

    // MARK: Users

    @Test func `a wrong password holds the target, the right one does not`() throws {
        let server = try MosquittoServer(users: ["anna": "secret"])
        var settings = server.settings()
        for (user, password) in [(nil, nil), ("anna", "wrong"), ("bob", "secret")] as [(String?, String?)] {
            (settings.user, settings.password) = (user, password)
            let (cause, isHeld) = try obstacle(settings)
            // mosquitto has one code for a wrong password and for a client without rights.
            #expect(cause == "the broker refused the client: not authorized" && isHeld)
        }
        (settings.user, settings.password) = ("anna", "secret")
        let publisher = try Publisher(settings, count: 3)
        try publisher.run { $0.delivery.status.isComplete }
    }

    @Test func `mosquitto refuses a message to a forbidden topic, and the next record is not sent`() throws {
        let rules = "user anna\ntopic read #\n\nuser bob\ntopic readwrite owntracks/anna/#\n"
        let server = try MosquittoServer(
            ["acl_file FOLDER/rules"], files: ["rules": rules], users: ["anna": "a", "bob": "b"])
        var anna = server.settings("anna")
        (anna.user, anna.password) = ("anna", "a")
        var bob = server.settings("bob")
        (bob.user, bob.password) = ("bob", "b")
        var reader = anna
        reader.clientID = "subscriber"
        let subscriber = try Subscriber(reader)
        let forbidden = try Publisher(anna, count: 3, subscriber: subscriber)
        try forbidden.run(false) { $0.subscriber?.isReady == true }
        #expect(try forbidden.obstacle() == "the broker refused a message to owntracks/anna/boat: not authorized")
        #expect(forbidden.isHeld && forbidden.delivery.status.taken == 0)
        let permitted = try Publisher(bob, count: 1, subscriber: subscriber)
        try permitted.run { $0.delivery.status.isComplete && !subscriber.messages.isEmpty }
        #expect(subscriber.messages.count == 1)
    }

    @Test func `a probe finds a forbidden topic`() throws {
        let rules = "user anna\ntopic read #\n\nuser bob\ntopic write owntracks/#\n\nuser eve\ntopic owntracks/#\n"
        let server = try MosquittoServer(
            ["acl_file FOLDER/rules"], files: ["rules": rules], users: ["anna": "x", "bob": "x", "eve": "x"])
        let message = MQTTMessage("owntracks/anna/boat", [1])
        for (user, finding) in [
            ("anna", .rejected(topic: message.topic, .notAuthorized)),
            ("bob", .notDelivered(topic: message.topic, .version5)),
            ("eve", .delivered(topic: message.topic)),
        ] as [(String, BrokerProbe.Finding)] {
            var settings = server.settings()
            (settings.user, settings.password) = (user, "x")
            // mosquitto grants every subscription, and drops what the user may not read.
            #expect(BrokerProbe.findings(settings, messages: [message]).last == finding)
        }
    }

    @Test func `a probe finds a certificate of another name`() throws {
        let authority = try Authority()
        let encrypted = try MosquittoServer(authority.sign("DNS:other.example"))
        let message = MQTTMessage("owntracks/anna/boat", [1])
        #expect(
            BrokerProbe.findings(encrypted.settings(authority: authority.file), messages: [message]) == [
                .resolved(addresses: ["127.0.0.1"]), .connected(address: "127.0.0.1"),
                .failed(.tls(host: "127.0.0.1", .wrongName)),
            ])
        let right = try MosquittoServer(authority.sign())
        #expect(
            BrokerProbe.findings(right.settings(authority: authority.file), messages: []) == [
                .resolved(addresses: ["127.0.0.1"]), .connected(address: "127.0.0.1"), .encrypted,
                .accepted(.version5),
            ])
    }

    // MARK: Certificates

    @Test func `a certificate for another name, of an unknown authority or an expired one is refused`() throws {
        let authority = try Authority()
        let other = try Authority()
        for (certificate, file, fault) in [
            (try authority.sign("DNS:other.example"), authority.file, .wrongName),
            (try authority.sign(), other.file, .untrusted), (try authority.sign(), nil, .untrusted),
            (try authority.sign(days: -1), authority.file, .expired),
        ] as [(Certificate, String?, HTTPTLSFault.Reason)] {
            let server = try MosquittoServer(certificate)
            var settings = server.settings(authority: authority.file)
            settings.encryption?.authorityFile = file
            let (cause, isHeld) = try obstacle(settings)
            #expect(cause == "no secure connection to 127.0.0.1: \(HTTPTLSFault(reason: fault))")
            #expect(isHeld)
        }
    }

    @Test func `a broker can require a certificate of the client, and then gets everything`() throws {
        let authority = try Authority()
        let server = try MosquittoServer(authority.sign(), clientAuthority: authority.file)
        var settings = server.settings(authority: authority.file)
        let fault = "no secure connection to 127.0.0.1: cannot use the client's certificate: "
        #expect(try refusal(settings) == fault + "tlsv13 alert certificate required")
        let other = try Authority()
        let stranger = try other.sign("DNS:client")
        settings.encryption?.use(stranger)
        #expect(try refusal(settings) == fault + "tlsv1 alert unknown ca")
        let own = try authority.sign("DNS:client")
        settings.encryption?.use(own)
        let publisher = try Publisher(settings, count: 100)
        try publisher.run { $0.delivery.status.isComplete }
        publisher.delivery.finish(by: .zero)
        try publisher.run { $0.delivery.isClosed }
        // A key that belongs to another certificate.
        settings.encryption?.keyFile = stranger.key
        let foreign = "Error: Unable to load client key file \"\(stranger.key)\"."
        #expect(try obstacle(settings) == (fault + foreign, true))
    }

    @Test func `files without certificates are named`() throws {
        let authority = try Authority()
        let server = try MosquittoServer(authority.sign())
        let folder = try Scratch()
        try folder.write("no certificate\n", to: "empty.pem")
        var settings = server.settings(authority: folder.path("empty.pem"))
        #expect(try obstacle(settings).cause.contains("cannot read the certificates of authorities"))
        settings = server.settings(authority: authority.file)
        settings.encryption?.certificateFile = folder.path("empty.pem")
        #expect(try obstacle(settings).cause.contains("cannot use the client's certificate"))
    }

    @Test func `a plain and an encrypted end do not understand each other, and are tried again`() throws {
        let authority = try Authority()
        // Neither tells the other why it closes the connection.
        let cause = "connection lost: the server closed the connection without an answer"
        let encrypted = try MosquittoServer(authority.sign())
        #expect(try obstacle(encrypted.settings()) == (cause, false))
        let plain = try MosquittoServer()
        #expect(try obstacle(plain.settings(authority: authority.file)) == (cause, false))
    }

    @Test func `a write to an encrypted connection whose broker was killed does not end the process`() throws {
        let authority = try Authority()
        let server = try MosquittoServer(authority.sign())
        let driver = try ConnectionDriver.opened(server.settings(authority: authority.file))
        server.kill()
        let before = signal(SIGPIPE, SIG_DFL)
        defer { signal(SIGPIPE, before) }
        for _ in 0..<10 { try driver.publish("x") }
        let failure = try driver.nextFailure()
        if case .connectionLost = failure {} else { Issue.record("\(failure)") }
    }
}

extension MQTTSettings.Encryption {
    /// Sets the certificate of the client.
    fileprivate mutating func use(_ client: Certificate) { (certificateFile, keyFile) = (client.file, client.key) }
}
