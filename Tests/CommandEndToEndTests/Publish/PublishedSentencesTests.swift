import Glibc
import LocwatchPlatform
import TestSupport
import Testing

/// `publish` to programs that read NMEA, and to a web server.
@Suite(.serialized, .withFew) struct PublishedSentencesTests {
    private let folder: Scratch

    init() throws {
        folder = try Scratch()
        try folder.write(RecordedDrive.text(points: 6), to: "drive.json")
    }

    /// Runs a Python script that prints `ready` and then what it receives.
    private func server(_ script: String) async throws -> Locwatch {
        try folder.write(script, to: "server.py")
        let server = try Locwatch("exec timeout 600 python3 -u server.py", folder: folder.url)
        try await server.wait { $0.lines.first == "ready" }
        return server
    }

    @Test func `the sentences of a receiver are read by two readers and by gpsd, with its accuracy`() async throws {
        let port = ReservedPort().number
        let run = try Locwatch(
            "exec $LW publish --queue memory tcp-listen://127.0.0.1:\(port) sim:walk", folder: folder.url)
        try await run.wait { _ in !LoopbackPort.isFree(port) }
        let reader = try await server(
            """
            import socket, sys
            connection = socket.create_connection(("127.0.0.1", \(port)))
            print("ready")
            kinds, has_sky = set(), False
            with open("live.nmea", "wb") as file:
                for line in connection.makefile("rb"):
                    # gpsd can tell the first position before the satellites, without which the HDOP is unknown.
                    if not has_sky:
                        has_sky = line[3:6] == b"GSV"
                        continue
                    file.write(line)
                    kinds.add(line[3:6])
                    if line[3:6] == b"RMC" and len(kinds) == 7: sys.exit()
            """)
        #expect(try await reader.end() == 0)
        let client = try await Locwatch.run("$LW once -t 300s -j tcp://127.0.0.1:\(port)", folder: folder.url)
        #expect(client.code == 0 && client.output.contains(#""mode":3"#), "\(client.errors)")
        #expect(client.output.contains(#""eph":"#), "\(client.output)")
        try await run.stop()
        let found = try await Locwatch.run("Tests/Oracles/read_sentences.py \(folder.path("live.nmea"))")
        #expect(found.code == 0, "\(found.errors)")
        let positions = found.output.split(separator: "\n").filter { $0.contains(#""type":"GGA""#) }
        #expect(
            !positions.isEmpty && positions.allSatisfy { $0.contains(#""hdop":"#) && $0.contains(#""separation":"#) })
        let errors = found.output.split(separator: "\n").filter { $0.contains(#""type":"GST""#) }
        #expect(!errors.isEmpty && errors.allSatisfy { $0.contains(#""north":"#) && $0.contains(#""up":"#) })
    }

    @Test func `a program that receives datagrams reads the newest position`() async throws {
        let receiver = ReservedPort(receivesDatagrams: true)
        defer { close(receiver.descriptor) }
        let run = try await Locwatch.run(
            "$LW publish --queue memory udp://127.0.0.1:\(receiver.number) drive.json", folder: folder.url)
        #expect(run.code == 0, "\(run.errors)")
        var (text, bytes) = ("", [UInt8](repeating: 0, count: 2000))
        while case let count = recv(receiver.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count > 0 {
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
        #expect(text.contains("RMC,000005"), "\(text)")
    }

    /// In a separate network namespace, whose only address changes before the last position.
    @Test func `datagrams are sent on when the machine has another address`() async throws {
        let run = try await Locwatch.run(
            #"""
            exec timeout 20 unshare \#(geteuid() == 0 ? "-n" : "-rn") bash -c '
            sent() { awk "/^Udp:/ { n = \$5 } END { print n }" /proc/net/snmp; }
            /usr/sbin/ip -b - <<<"link add near type veth peer name far
            link set near up
            link set far up
            address add 192.0.2.1/24 dev near"
            (head -n 6 drive.json; while [ $(sent) = 0 ]; do sleep .02; done; sleep .2
            /usr/sbin/ip -b - <<<"address del 192.0.2.1/24 dev near
            address add 192.0.2.2/24 dev near"
            sent >before; tail -n 1 drive.json) | $LW publish -q --queue memory udp://192.0.2.9 -
            cat before; sent'
            """#, folder: folder.url)
        let sent = run.output.split(separator: "\n").compactMap { Int($0) }
        #expect(sent.count == 2 && sent[0] < sent[1], "\(run)")
    }

    @Test func `a slow server gets each position of a recording that memory cannot hold`() async throws {
        let port = ReservedPort().number
        let server = try await server(
            """
            import http.server, json, time
            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"
                last = count = 0
                def do_POST(self):
                    for feature in json.loads(self.rfile.read(int(self.headers["Content-Length"])))["locations"]:
                        place = feature["geometry"]["coordinates"][1]
                        Handler.count += place > Handler.last
                        Handler.last = place
                    # The server is slower than a recording is read; nothing waits for a time that has to pass.
                    time.sleep(0.01)
                    self.send_response(200)
                    self.send_header("Content-Length", "15")
                    self.end_headers()
                    self.wfile.write(b'{"result":"ok"}')
                    print(Handler.count)
                def log_message(self, *words): pass
            server = http.server.ThreadingHTTPServer(("127.0.0.1", \(port)), Handler)
            print("ready")
            server.serve_forever()
            """)
        try folder.write(RecordedDrive.text(points: 12_000), to: "long.json")
        let run = try await Locwatch.run(
            "$LW publish --queue memory overland+http://127.0.0.1:\(port)/api long.json",
            folder: folder.url)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("sent 12000 records"), "\(run.errors)")
        try await server.wait { $0.lines.last == "12000" }
        try await server.stop()
    }
}
