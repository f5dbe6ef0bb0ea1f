import Glibc
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct GeoClueSetupTests {
    @Test(
        arguments: [
            ("", false, nil), ("enable=true\n", false, nil), ("[network-nmea]\nenable=true\n", true, nil),
            (
                "[wifi]\nenable=false\n\n[network-nmea]\n# nmea-socket=/a\n enable = true \n nmea-socket = /run/x y \n[3g]\nenable=false",
                true, "/run/x y"
            ),
            ("[network-nmea]\nenable=false\nnmea-socket=\n", false, nil),
            ("[network-nmea]\n=\n==\n[\nenable=true", false, nil),
        ] as [(String, Bool, String?)])
    func `the configuration has sections of keys`(text: String, isEnabled: Bool, socket: String?) {
        let setup = GeoClueSetup(text)
        #expect(setup.isEnabled == isEnabled && setup.socket == socket)
    }

    @Test func `the services are the resolved ones, each once`() {
        let output = """
            +;eth0;IPv4;locwatch\\032on\\032pi;_nmea-0183._tcp;local
            =;eth0;IPv6;locwatch\\032on\\032pi;_nmea-0183._tcp;local;pi.local;fe80::1;10110;
            =;eth0;IPv4;locwatch\\032on\\032pi;_nmea-0183._tcp;local;pi.local;192.0.2.7;10110;
            =;wlan0;IPv4;locwatch\\032on\\032pi;_nmea-0183._tcp;local;pi.local;192.0.2.7;10110;"x;y"
            =;eth0;IPv4;a;b;c;d;192.0.2.8;70000;
            =;;
            """
        #expect(GeoClueSetup.services(output) == [.init(address: "192.0.2.7", port: 10110)])
        #expect(GeoClueSetup.services("").isEmpty)
    }

    @Test(arguments: [(0.5, 0), (1, 0), (1.01, 1), (2, 1), (5, 3), (10, 50), (20, 100), (20.1, 300)])
    func `an HDOP becomes the accuracy of GeoClue's table`(hdop: Double, metres: Int) {
        #expect(GeoClueSetup.accuracy(ofHDOP: hdop) == metres)
    }

    @Test(
        arguments: [
            ("", .unknown), ("$GPRMC,,V,,,,,,,,,,N*53\r\n", .unknown), ("$GPGGA\r\n,,,\r\n", .unknown),
            ("$GPGGA,,,,,,0,,,,,,,,*66\r\n", .missing),
            ("$GPGGA,,4500.0,N,00700.0,E,1,08,1.50,1,M,1,M,,*00\r\n", .found(hdop: 1.5)),
            ("$GNGGA,,4500.0,N,00700.0,E,1,08,,1,M,1,M,,*00\r\n", .found(hdop: nil)),
            ("$GPGGA,,4500.0,N,00700.0,E,1,08,1.50,1,M,1,M,,*00\r\n$GPGGA,,,,,,0,,,,,,,,*66\r\n$GPG", .missing),
        ] as [(String, GeoClueSetup.Position)])
    func `the newest sentence with a place decides`(text: String, position: GeoClueSetup.Position) {
        #expect(GeoClueSetup.position(inSentences: text) == position)
    }
}

/// Tests of `doctor geoclue` over a Unix socket.
@Suite(.serialized, .withClocks) struct GeoClueDoctorTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Returns a machine on which GeoClue reads NMEA, from a socket if a path is given.
    private func machine(_ socket: String? = nil, mode: UInt32 = 0o666) -> PretendedMachine {
        with(PretendedMachine()) {
            $0.files[GeoClueSetup.program] = FileAccess(owner: "root", ownerID: 0, group: "root", mode: 0o755)
            $0.texts[GeoClueSetup.file] =
                "[network-nmea]\nenable=true\n" + (socket.map { "nmea-socket=\($0)\n" } ?? "")
            guard let socket else { return }
            $0.files[socket] = FileAccess(owner: "ada", ownerID: 1000, group: "ada", mode: mode)
        }
    }

    private func doctor(_ machine: PretendedMachine, _ limit: String = "500ms") async throws -> CommandTrial.Result {
        try await CommandTrial(machine: machine).run("doctor -t \(limit) geoclue")
    }

    /// Listens at a path and sends a text, if any, and its end to the first program that connects.
    private func send(_ text: String, at path: String) throws {
        let listener = try LocalSocket.bound(to: path, listens: true)
        try NativeThread.start {
            let client = accept(listener, nil, nil)
            _ = Array(text.utf8).withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
            if !text.isEmpty { shutdown(client, Int32(SHUT_WR)) }
            var bytes: UInt8 = 0
            while read(client, &bytes, 1) > 0 {}
            close(client)
            close(listener)
        }
    }

    @Test func `what is missing on the way to GeoClue is a fault with a remedy`() async throws {
        let disabled = with(machine()) { $0.texts[GeoClueSetup.file] = "[network-nmea]\nenable=false\n" }
        let absent = with(machine("/run/x")) { $0.files["/run/x"] = nil }
        let faults: [(PretendedMachine, ExitCode, [String])] = [
            (PretendedMachine(), .unavailable, ["sudo apt install geoclue-2.0"]),
            (disabled, .unavailable, ["enable=true below [network-nmea]"]),
            (machine(), .unavailable, ["fault avahi", "avahi-daemon does not run"]),
            (absent, .unavailable, ["nothing is at /run/x", "locwatch publish 'unix-listen:/run/x?mode=666'"]),
            (machine("/tmp/x"), .unavailable, ["cannot see /tmp/x"]),
            (machine("/run/x", mode: 0o600), .denied, ["must not open /run/x"]),
            (machine("/run/locwatch-no-such-socket"), .unavailable, ["does not answer: No such file or directory"]),
        ]
        for (machine, code, says) in faults {
            let result = try await doctor(machine)
            #expect(result.code == code, "\(says)")
            for words in says { #expect(result.unwrapped.contains(words), "\(result.output)") }
        }
    }

    @Test(
        arguments: [
            ("$GPGGA,,4500.0,N,00700.0,E,1,08,1.50,1,M,1,M,,*00\r\n", 0, "HDOP 1.5, of which GeoClue makes 1 m"),
            ("$GPGGA,,4500.0,N,00700.0,E,1,08,,1,M,1,M,,*00\r\n", 0, "a position without HDOP"),
            ("$GPGGA,,,,,,0,,,,,,,,*66\r\n", 75, "no position was sent"), ("", 75, "nothing was sent"),
        ] as [(String, Int32, String)])
    func `a finding reports the position that arrives at the socket`(text: String, code: Int32, words: String)
        async throws
    {
        // The folders that GeoClue does not see are known by their names.
        let path = "/run/locwatch-test-\(UInt64.random(in: 0...UInt64.max))"
        let place = access("/run", W_OK) == 0 ? path : folder.path("x").replacing("/tmp/", with: "/var/../tmp/")
        defer { unlink(place) }
        try send(text, at: place)
        let result = try await doctor(machine(place), text.isEmpty ? "500ms" : "5m")
        #expect(result.code.rawValue == code, "\(result.output)")
        #expect(result.unwrapped.contains(words) && result.unwrapped.contains("ok publisher"), "\(result.output)")
    }
}
