import Foundation
import TestSupport
import Testing

/// `serve` with gpsd's own clients and with the program itself.
@Suite(.serialized, .withFew) struct ServeTests {
    @Test func `a recording is played to gpspipe and to the program itself`() async throws {
        let (server, port) = try await Locwatch.serving("--pace 10x --loop $FIXTURES/walk/session.json")
        #expect(server.errors.contains("try: cgps localhost:\(port)"))
        let pipe = try await Locwatch.run("timeout 300 gpspipe -w -n 12 127.0.0.1:\(port)")
        #expect(pipe.output.contains(#""class":"TPV""#), "\(pipe.errors)")
        #expect(try await Locwatch.run("$LW once localhost:\(port)").code == 0)
        #expect(try await server.end(by: SIGINT) == 130)
    }

    @Test func `a recording that expands to more than fits into memory is refused`() async throws {
        let folder = try Scratch()
        let run = try await Locwatch.run(
            """
            (echo '{"class":"VERSION","release":"3.25"}'; head -c 51000000 /dev/zero | tr '\\0' '\\n') \
              | gzip -1 >\(folder.path("a.json.gz"))
            timeout 300 $LW serve \(folder.path("a.json.gz"))
            """)
        #expect(run.code == 65)
        #expect(run.errors.contains("it expands to more than 32 MB, which must fit into memory"), "\(run.errors)")
    }

    /// In a separate network namespace, so that gpsd's port is free.
    @Test func `of two servers one has gpsd's port, and beside a program at [::1] both have a free one`() async throws {
        let folder = try Scratch()
        let run = try await Locwatch.run(
            """
            exec \(geteuid() == 0 ? "unshare -n" : "unshare -rn") bash -c '
            /usr/sbin/ip link set lo up
            two() {
                pids=
                for source in sim:walk $FIXTURES/walk/session.json; do
                    $LW serve --print-port --pace manual --control $1${#pids} $source >>$1 2>>errors &
                    pids="$pids $!"
                done
                until [ "$(wc -l <$1)" = 2 ]; do sleep .02; done
                kill $pids; wait $pids
            }
            for round in a b c; do two $round; done
            python3 -c "
            import socket, time
            taken = socket.socket(socket.AF_INET6)
            taken.bind((\\"::1\\", 2947))
            taken.listen()
            time.sleep(600)" & python=$!
            until [ -n "$(ss -tln6 sport = 2947 | tail -n +2)" ]; do sleep .02; done
            two d; kill $python
            for round in a b c d; do sort -n $round | sed "s/^/$round /"; done; cat errors >&2'
            """, folder: folder.url)
        let ports = run.output.split(separator: "\n")
        #expect(ports.count == 8 && ports.count { $0.hasSuffix(" 2947") } == 3, "\(run.output)\(run.errors)")
        #expect(ports.filter { $0.hasPrefix("d") }.allSatisfy { !$0.hasSuffix(" 2947") }, "\(run.output)")
        #expect(
            run.errors.contains(/locwatch: serving \S+ at localhost:2947; try: cgps localhost:2947\n/), "\(run.errors)")
        let others = run.errors.matches(of: /port 2947 is taken: serving \S+ at localhost:(\d+);/).map(\.1)
        #expect(others.count == 5 && !others.contains("2947"), "\(run.errors)")
    }

    @Test func `quiet serves without a message`() async throws {
        let run = try await Locwatch.run(
            "timeout 1 $LW serve -q --port \(ReservedPort().number) $FIXTURES/walk/session.json")
        #expect(run.errors == "")
        #expect(run.code == 124, "it served until it was ended")
    }
}
