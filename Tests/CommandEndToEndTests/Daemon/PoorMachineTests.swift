import Foundation
import TestSupport
import Testing

/// A machine that lacks what the program usually has, or loads a library before it.
@Suite(.serialized, .withFew) struct PoorMachineTests {
    @Test(arguments: ["version", "once sim:walk", "stats $FIXTURES/walk/session.json"])
    func `a stack that is too small is named`(line: String) async throws {
        let run = try await Locwatch.run("ulimit -s 128; $LW \(line)")
        #expect(run.code == 69)
        #expect(run.errors.contains("the stack is limited to 128 kB, and 256 kB are needed"), "\(run.errors)")
    }

    @Test func `a gpsd that cannot start for lack of memory is not said to be missing`() async throws {
        // Less than its libraries take.
        let folder = try Scratch()
        try folder.compile("int main(void) { return 127; }", to: "gpsd")
        let run = try await Locwatch.run("ulimit -v 250000; PATH=\(folder.url.path):$PATH $LW once sim:walk")
        #expect(run.code == 69)
        #expect(run.errors.contains("the memory is limited to 244 MB"), "\(run.errors)")
        #expect(!run.errors.contains("install"), "\(run.errors)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can take /proc away"))
    func `without /proc a receiver is read`() async throws {
        let run = try await Locwatch.run("unshare -m sh -c 'umount -l /proc && exec $LW once -t 60s sim:walk'")
        #expect(run.code == 0, "\(run.errors)")
        #expect(!run.errors.contains("at port"), "other users must not read the position: \(run.errors)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can take /proc away"))
    func `without /proc a raw log names what it lacks`() async throws {
        let scratch = try Scratch()
        try scratch.write("$GPGGA,120000.00,4812.0000,N,01622.2000,E,1,08,0.9,200.0,M,40.0,M,,*6F\r\n", to: "log.nmea")
        let run = try await Locwatch.run(
            "unshare -m sh -c 'umount -l /proc && exec $LW stats log.nmea'", folder: scratch.url)
        #expect(run.code == 69, "\(run.errors)")
        #expect(run.errors.contains("a raw log needs /proc; mount it"), "\(run.errors)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can change /dev"))
    func `without /dev/stdin a raw log names what it lacks`() async throws {
        let scratch = try Scratch()
        try scratch.write("$GPGGA,120000.00,4812.0000,N,01622.2000,E,1,08,0.9,200.0,M,40.0,M,,*6F\r\n", to: "log.nmea")
        // A /dev with nothing but what any program needs.
        let run = try await Locwatch.run(
            """
            unshare -m sh -c 'mkdir dev && mount -t tmpfs dev dev && touch dev/null && mount --bind /dev/null dev/null \
                && mount --move dev /dev && exec $LW stats log.nmea'
            """, folder: scratch.url)
        #expect(run.code == 69, "\(run.errors)")
        #expect(run.errors.contains("a raw log needs /dev/stdin; make it with: ln -s"), "\(run.errors)")
    }

    @Test func `the arguments are those of main when a library has set a variable before`() async throws {
        let scratch = try Scratch()
        let early = try scratch.compile(program: "early.c", to: "early.so", ["-shared", "-fPIC"])
        let run = try await Locwatch.run("LD_PRELOAD=\(early) $LW help once")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("locwatch once"), "\(run.output)")
    }
}
