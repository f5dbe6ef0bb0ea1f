import LocationCore
import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct StreamDeviceTests {
    private let caster = StreamAddress(.ntrip, host: "caster.example", port: 2101, user: "joe", mountpoint: "MOUNT")

    @Test func `only the name for gpsd has the password`() throws {
        let device = try StreamDevice(caster, password: "s3cret")
        #expect(device.name == "ntrip://joe:s3cret@caster.example:2101/MOUNT")
        #expect(device.address.description == "ntrip://joe@caster.example:2101/MOUNT")
        #expect(!GPSDInput.stream(device).redacted("opening \(device.name), and \(device.name)").contains("s3cret"))
        #expect(GPSDInput.stream(device).redacted("no secret") == "no secret")
    }

    @Test func `an address without a host receives from everywhere`() throws {
        let device = try StreamDevice(StreamAddress(.udp, host: ""), password: nil)
        #expect(device.name == "udp://0.0.0.0:10110")
        #expect(device.address.description == "udp://:10110")
        #expect(device.redaction == nil)
        #expect(StreamAddress(.tcp, host: "::1", port: 7).description == "tcp://[::1]:7")
    }

    @Test func `gpsd gets the address of a host, and messages name the host`() throws {
        let device = try StreamDevice(caster, password: "s3cret").located(at: "2001:db8::7")
        #expect(device.name == "ntrip://joe:s3cret@[2001:db8::7]:2101/MOUNT")
        #expect(GPSDInput.stream(device).redacted("opening \(device.name)") == "opening \(caster)")
        let address = StreamAddress(.tcp, host: "plotter.local")
        let plotter = try StreamDevice(address, password: nil).located(at: "192.0.2.7")
        #expect(plotter.name == "tcp://192.0.2.7:10110")
        #expect(GPSDInput.stream(plotter).redacted("\"\(plotter.name)\"") == "\"tcp://plotter.local:10110\"")
    }

    @Test(arguments: [
        "s@cret", "s cret", "s/cret", "s\"cret", "s\\cret", "sécret", "s\ncret", String(repeating: "s", count: 42),
    ])
    func `a password that gpsd cannot take is refused without being repeated`(password: String) {
        let error = #expect(throws: LocationError.self) { try StreamDevice(caster, password: password) }
        #expect(error.map { "\($0)".contains("cret") } == false)
        #expect(error.map { "\($0)".contains("ssss") } == false)
    }

    @Test func `a name that gpsd would cut is refused`() {
        let long = StreamAddress(.tcp, host: String(repeating: "h", count: 130))
        #expect(throws: LocationError.self) { try StreamDevice(long, password: nil) }
    }

    @Test func `a secret is replaced wherever the bytes are split`() {
        let text = Array("{\"path\":\"ntrip://joe:s3@h\"} joe:s joe:joe:s3@".utf8)
        let shown = Array("{\"path\":\"ntrip://joe@h\"} joe:s joe:joe@".utf8)
        for size in 1...text.count {
            var redaction = ByteRedaction(of: Array("joe:s3@".utf8), as: Array("joe@".utf8))
            let passed = text.pieces(of: size).flatMap { piece in
                piece.withUnsafeBytes { redaction.isClear($0) } ? Array(piece) : redaction.apply(to: piece)
            }
            #expect(passed + redaction.rest == shown, "in pieces of \(size)")
        }
    }

    @Test func `a secret that begins like its own end is replaced from the left wherever the bytes are split`() {
        let text = Array("ababaab abaababab aba".utf8)
        let shown = Array("X-aab abaX-ab aba".utf8)
        for size in 1...text.count {
            var redaction = ByteRedaction(of: Array("abab".utf8), as: Array("X-".utf8))
            var passed: [UInt8] = []
            for piece in text.pieces(of: size) {
                passed += redaction.apply(to: piece)
                #expect(redaction.rest.count < 4, "less than the secret is kept")
            }
            #expect(passed + redaction.rest == shown, "in pieces of \(size)")
        }
    }

    @Test(arguments: [true, false])
    func `a gpsd that opens a caster in the background has the time for that`(isInBackground: Bool) {
        var timeouts = ConnectionTimeouts()
        timeouts.streamSilence = .seconds(5)
        var retries = ReceiverRetries(timeouts)
        retries.open(caster, inBackground: isInBackground, at: moment(1))
        let silent = LocationEvent.searching(.deviceSilent(path: "a"), device: "a")
        retries.note(LocationUpdate(silent, at: moment(4)), canBeLost: true)
        #expect(retries.lossDue?.elapsed == .seconds(isInBackground ? 21 : 9))
        // The answer of the caster, which gpsd has not read.
        let babbling = LocationUpdate(.searching(.deviceBabbling(path: "a"), device: "a"), at: moment(5))
        #expect(retries.isPremature(babbling) == isInBackground)
        // Once data has come, a silence is one.
        retries.note(LocationUpdate(.receiver(ReceiverReport()), at: moment(12)), canBeLost: true)
        retries.note(LocationUpdate(silent, at: moment(15)), canBeLost: true)
        #expect(retries.lossDue?.elapsed == .seconds(20))
    }

    @Test func `a stream that gpsd closes before it has given anything is lost at once`() {
        var retries = ReceiverRetries(ConnectionTimeouts())
        let closed = LocationEvent.searching(.deviceLost(path: "a"), device: "a")
        retries.note(LocationUpdate(closed, at: moment(4)), canBeLost: true)
        #expect(retries.lossDue == moment(4))
        retries.note(LocationUpdate(.receiver(ReceiverReport()), at: moment(5)), canBeLost: true)
        retries.note(LocationUpdate(closed, at: moment(6)), canBeLost: true)
        #expect(retries.lossDue == moment(6).advanced(by: ConnectionTimeouts().streamSilence))
    }

    @Test func `a stream that is silent counts as lost after a while, unless data arrives`() {
        var timeouts = ConnectionTimeouts()
        timeouts.streamSilence = .seconds(10)
        var retries = ReceiverRetries(timeouts)
        let silent = LocationEvent.searching(.deviceSilent(path: "a"), device: "a")
        retries.note(LocationUpdate(silent, at: moment(4)), canBeLost: false)
        for second in [5.0, 9] { retries.note(LocationUpdate(silent, at: moment(second)), canBeLost: true) }
        #expect(retries.lossDue?.elapsed == .seconds(15))
        retries.note(LocationUpdate(.searching(.noFix(seen: 0, used: 0, best: nil)), at: moment(10)), canBeLost: true)
        #expect(retries.lossDue == nil)
        let pauses = (1...10).map { _ in retries.fail(at: moment(20)) }
        #expect(retries.failures == 10)
        #expect(pauses.allSatisfy { $0 > .zero && $0 <= timeouts.retries.longest * 1.2 })
        #expect(retries.due != nil)
        retries.begin()
        #expect(retries.due == nil)
        retries.note(LocationUpdate(.receiver(ReceiverReport()), at: moment(30)), canBeLost: false)
        #expect(retries.failures == 0)
        let cause = "no data arrives any more"
        #expect(retries.loss(of: caster) == .connectionLost(host: "caster.example", port: 2101, cause: cause))
    }
}
