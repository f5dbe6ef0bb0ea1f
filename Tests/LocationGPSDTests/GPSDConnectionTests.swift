import Glibc
import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct GPSDConnectionTests {
    private let peer = LoopbackPeer()

    /// Returns the error of a connection that must fail.
    private func failure(host: String = "127.0.0.1", port: String = "2947") -> LibgpsError? {
        do throws(LibgpsError) {
            _ = try GPSDConnection(host: host, port: port)
            return nil
        } catch {
            return error
        }
    }

    /// Returns a connection to the peer.
    private func connected() throws -> GPSDConnection {
        peer.listen()
        let session = try GPSDConnection(host: "127.0.0.1", port: String(peer.port))
        peer.accept()
        return session
    }

    @Test func `a connection to a closed port fails`() {
        // libgps before 3.27 loses the system's error number.
        #expect(
            [.cannotConnect(systemError: nil), .cannotConnect(systemError: ECONNREFUSED)]
                .contains(failure(port: String(peer.port))))
    }

    @Test func `a host or a service that does not resolve is unknown`() {
        #expect([.unknownService, .unknownName].contains(failure(port: "no-such-service")))
        #expect([.unknownHost, .unknownName].contains(failure(host: "no-such-host.invalid")))
    }

    @Test(arguments: ["shared memory", "DBUS export", "local file"])
    func `the special names for which libgps would not connect are unknown hosts`(host: String) {
        #expect(failure(host: host) == .unknownHost)
    }

    @Test func `a zero byte does not truncate the host or the port`() {
        peer.listen()
        #expect(failure(host: "127.0.0.1\0.invalid", port: String(peer.port)) == .unknownHost)
        #expect(failure(port: "\(peer.port)\0") == .unknownService)
    }

    @Test func `the socket of a session is readable and non-blocking`() throws {
        let session = try connected()
        var byte: UInt8 = 0
        #expect(recv(session.descriptor, &byte, 1, 0) == -1)
        #expect(errno == EAGAIN)

        peer.send("{")
        var ready = pollfd(fd: session.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 10_000) == 1)
        #expect(recv(session.descriptor, &byte, 1, 0) == 1)
        #expect(byte == UInt8(ascii: "{"))
    }

    @Test func `the release of a session closes the connection at once`() throws {
        do {
            let session = try connected()
            #expect(peer.isQuiet)
            #expect(fcntl(session.descriptor, F_GETFD) >= 0)
        }
        #expect(peer.receive(atMost: 1) == "")
    }

    @Test(arguments: [
        // A path of 200 bytes.
        #"?WATCH={"enable":true,"device":"/dev/serial/by-id/\#(String(repeating: "x", count: 182))"};"# + "\n",
        "%s%n%d;", "",
    ])
    func `a command arrives whole and unchanged`(command: String) throws {
        let session = try connected()
        try session.send(command)
        #expect(command.isEmpty ? peer.isQuiet : peer.receive(atMost: 4096) == command)
    }

    @Test func `a command to a daemon that is gone throws an error without SIGPIPE`() throws {
        // SIGPIPE is blocked on this thread, so that it becomes pending instead of ending the tests.
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        func isRaised() -> Bool {
            var now = timespec()
            return sigtimedwait(&pipe, nil, &now) == SIGPIPE
        }

        let session = try connected()
        peer.hangUp()
        var ended = pollfd(fd: session.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ended, 1, 10_000) == 1)
        #expect(throws: LibgpsError.notSent(systemError: ECONNRESET)) { try session.send("?VERSION;\n") }
        #expect(throws: LibgpsError.notSent(systemError: EPIPE)) { try session.send("?VERSION;\n") }
        #expect(!isRaised())

        // An ordinary write raises the signal, so the check above would have noticed it.
        #expect(write(session.descriptor, "?", 1) == -1)
        #expect(isRaised())
    }

    @Test func `a command too large for the socket throws an error without waiting`() throws {
        let session = try connected()
        let large = String(repeating: "x", count: 64 << 20)
        #expect(throws: LibgpsError.notSent(systemError: EMSGSIZE)) { try session.send(large) }
    }

    @Test func `the version of the library is known`() {
        #expect(LibgpsVersion.library?.hasPrefix("3.") == true)
        #expect(!LibgpsVersion.isBuiltIn, "only the installed program has libgps built in")
    }
}
