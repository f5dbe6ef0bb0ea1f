import Glibc
import Testing

@testable import LocationGPSD

@Suite struct GPSDSessionTests {
    /// The error of an open that must fail.
    private func failure(host: String = "127.0.0.1", port: String = "2947") -> LibgpsError? {
        do throws(LibgpsError) {
            _ = try GPSDSession(host: host, port: port)
            return nil
        } catch {
            return error
        }
    }

    private func connected(to peer: LoopbackPeer) throws -> GPSDSession {
        peer.listen()
        let session = try GPSDSession(host: "127.0.0.1", port: String(peer.port))
        peer.accept()
        return session
    }

    @Test func `a port where nobody listens cannot be connected to`() {
        let peer = LoopbackPeer()
        // libgps before 3.27 loses the system's error number.
        #expect(
            [.cannotConnect(systemError: nil), .cannotConnect(systemError: ECONNREFUSED)]
                .contains(failure(port: String(peer.port))))
    }

    @Test func `a host that does not resolve is unknown`() {
        #expect([.unknownHost, .unknownName].contains(failure(host: "no-such-host.invalid")))
    }

    @Test func `a service that is not in the table is unknown`() {
        #expect([.unknownService, .unknownName].contains(failure(port: "no-such-service")))
    }

    @Test(arguments: ["shared memory", "DBUS export", "local file"])
    func `the names under which libgps would not connect at all are unknown hosts`(host: String) {
        #expect(failure(host: host) == .unknownHost)
    }

    @Test func `a zero byte does not cut the host or the port short`() {
        let peer = LoopbackPeer()
        peer.listen()
        #expect(failure(host: "127.0.0.1\0.invalid", port: String(peer.port)) == .unknownHost)
        #expect(failure(port: "\(peer.port)\0") == .unknownService)
    }

    @Test func `an open session has a socket to read from, which libgps has made non-blocking`() throws {
        let peer = LoopbackPeer()
        let session = try connected(to: peer)
        var byte: UInt8 = 0
        #expect(recv(session.descriptor, &byte, 1, 0) == -1)
        #expect(errno == EAGAIN)

        peer.send("{")
        var ready = pollfd(fd: session.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 10_000) == 1)
        #expect(recv(session.descriptor, &byte, 1, 0) == 1)
        #expect(byte == UInt8(ascii: "{"))
    }

    @Test func `a session lasts as long as its value`() throws {
        let peer = LoopbackPeer()
        do {
            let session = try connected(to: peer)
            #expect(peer.isQuiet)
            #expect(fcntl(session.descriptor, F_GETFD) >= 0)
        }
        #expect(peer.receive(atMost: 1) == "")
    }

    @Test func `a session that is closed ends at once`() throws {
        let peer = LoopbackPeer()
        let session = try connected(to: peer)
        session.close()
        #expect(peer.receive(atMost: 1) == "")
    }

    @Test func `a command arrives whole, however long the path in it`() throws {
        let peer = LoopbackPeer()
        let session = try connected(to: peer)
        let path = "/dev/serial/by-id/" + String(repeating: "x", count: 182)
        let command = #"?WATCH={"enable":true,"json":true,"device":"\#(path)"};"# + "\n"
        #expect(path.utf8.count == 200)
        try session.send(command)
        #expect(peer.receive(atMost: 4096) == command)
    }

    @Test func `a percent sign in a command is a percent sign`() throws {
        let peer = LoopbackPeer()
        let session = try connected(to: peer)
        try session.send("%s%n%d;")
        #expect(peer.receive(atMost: 4096) == "%s%n%d;")
    }

    @Test func `nothing to send is nothing sent`() throws {
        let peer = LoopbackPeer()
        let session = try connected(to: peer)
        try session.send("")
        #expect(peer.isQuiet)
    }

    @Test func `a command to a daemon that has gone is an error and not a SIGPIPE`() throws {
        // Held back on this thread, a SIGPIPE shows as pending instead of ending the tests.
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

        let peer = LoopbackPeer()
        let session = try connected(to: peer)
        peer.hangUp()
        var ended = pollfd(fd: session.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ended, 1, 10_000) == 1)
        #expect(throws: LibgpsError.notSent(systemError: ECONNRESET)) { try session.send("?VERSION;\n") }
        #expect(throws: LibgpsError.notSent(systemError: EPIPE)) { try session.send("?VERSION;\n") }
        #expect(!isRaised())

        // An ordinary write is what would have raised it.
        #expect(write(session.descriptor, "?", 1) == -1)
        #expect(isRaised())
    }

    @Test func `a command that the socket cannot take is an error and does not wait`() throws {
        let peer = LoopbackPeer()
        let session = try connected(to: peer)
        let large = String(repeating: "x", count: 64 << 20)
        #expect(throws: LibgpsError.notSent(systemError: EMSGSIZE)) { try session.send(large) }
    }

    @Test func `the versions of header and library are told`() {
        #expect(9...16 ~= LibgpsVersion.header.major)
        #expect(LibgpsVersion.library?.hasPrefix("3.") == true)
        #expect(!LibgpsVersion.isBuiltIn, "only the program that is installed brings its own")
    }
}
