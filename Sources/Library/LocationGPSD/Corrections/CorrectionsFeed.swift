import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// The thread that reads corrections and writes them into the pipe of a private gpsd, which forwards them to the receiver.
///
/// It connects again after each failure, with growing pauses, until its owner ends it.
final class CorrectionsFeed: Sendable {
    private struct State {
        var status: CorrectionsStatus?
        /// The newest position, for casters that compute corrections for it.
        var position: (position: NMEAPosition, arrival: ContinuousClock.Instant)?
    }

    /// The bytes without a message after which the source counts as one of something else.
    private static let mostSkipped = 65_536
    /// The bytes that can precede the first message, such as an empty line.
    private static let fewSkipped = 64
    /// The interval at which a caster gets the position, if it wants one.
    private static let positionInterval = Duration.seconds(10)

    private let source: CorrectionsSource
    private let pipe: CorrectionsPipe
    private let timeouts: ConnectionTimeouts
    private let interruption: Event
    private let state = Lock(State())
    private let thread = Lock<NativeThread?>(nil)

    init(_ source: CorrectionsSource, into pipe: CorrectionsPipe, timeouts: ConnectionTimeouts) throws(SystemFailure) {
        self.source = source
        self.pipe = pipe
        self.timeouts = timeouts
        interruption = try Event()
        let thread = try NativeThread { [self] in run() }
        self.thread.withLock { $0 = thread }
    }

    /// The state, if it has become known.
    var status: CorrectionsStatus? { state.withLock { $0.status } }

    /// Notes a position of the receiver, and the number of satellites in it.
    func note(_ location: Location, used: Int?) {
        state.withLock { $0.position = (NMEAPosition(location, used: used, hdop: nil), .now) }
    }

    /// Ends the feed and waits until it has ended.
    func end() { thread.withLock { $0 }?.join { interruption.happen() } }

    // MARK: The thread

    private func run() {
        var backoff = Backoff(timeouts.retries)
        var writer: Int32 = -1
        var wantsPosition: Bool?
        defer { if writer >= 0 { close(writer) } }
        while true {
            do throws(CorrectionsConnection.Failure) {
                while writer < 0 {
                    writer = pipe.openToWrite()
                    if writer < 0 { try pause(for: .milliseconds(50)) }
                }
                try serve(into: writer, &wantsPosition) { backoff.succeed() }
            } catch {
                guard case .fault(let fault, let cause) = error else { return }
                report(CorrectionsStatus(source: "\(source)", fault: fault, cause: cause))
                do throws(CorrectionsConnection.Failure) { try pause(for: backoff.fail()) } catch { return }
            }
        }
    }

    /// Reads one connection to its end, which is the error that it throws.
    private func serve(
        into writer: Int32, _ wantsPosition: inout Bool?, _ succeed: () -> Void
    ) throws(CorrectionsConnection.Failure) {
        var reader = RTCMReader()
        var first: [UInt8] = []
        let connection: CorrectionsConnection
        switch source.place {
        case .pipe(let path): connection = try CorrectionsConnection(pipe: path, interruption)
        case .stream(let address):
            if address.scheme == .ntrip, wantsPosition == nil { wantsPosition = try table(of: address) }
            connection = try CorrectionsConnection(to: address, within: timeouts.connecting, interruption)
            if address.scheme == .ntrip { first = try requestCorrections(address, connection) }
        }
        let began = ContinuousClock.now
        var silenceDue = began + timeouts.streamSilence
        var positionDue = ContinuousClock.now
        var hasMessages = false
        let noCorrections = CorrectionsConnection.Failure.fault(
            .content, cause: "what arrives is not RTCM 3, or has no corrections")
        func take(_ piece: [UInt8]) {
            reader.feed(piece) { message in
                // A full pipe means that gpsd does not read; old corrections are of no use to it.
                _ = write(writer, message, message.count)
                hasMessages = true
            }
        }
        take(first)
        while true {
            if hasMessages {
                hasMessages = false
                // A caster that soon closes again is retried less and less often.
                if .now - began >= timeouts.streamSilence { succeed() }
                report(CorrectionsStatus(source: "\(source)"))
                silenceDue = .now + timeouts.streamSilence
            }
            guard reader.skipped < Self.mostSkipped else { throw noCorrections }
            if wantsPosition == true, .now >= positionDue, let sentence = currentSentence {
                try connection.send(sentence)
                positionDue = .now + Self.positionInterval
            }
            // A position that becomes known is sent soon, because the caster waits for it.
            let next = wantsPosition == true ? min(silenceDue, .now + .seconds(1)) : silenceDue
            if let piece = try connection.read(before: next) {
                take(piece)
            } else if .now >= silenceDue {
                throw reader.skipped > Self.fewSkipped ? noCorrections : .fault(.silent, cause: "nothing arrives")
            }
        }
    }

    /// Asks a caster whether it wants the position of the receiver; a table that cannot be read is one that does not say so.
    private func table(of address: StreamAddress) throws(CorrectionsConnection.Failure) -> Bool? {
        let connection = try CorrectionsConnection(to: address, within: timeouts.connecting, interruption)
        let deadline = ContinuousClock.now + timeouts.connecting
        var table = CasterTable(of: address.mountpoint ?? "")
        do throws(CorrectionsConnection.Failure) {
            try connection.send(CasterRequest.table(of: address))
            while !table.isOver, .now < deadline, let piece = try connection.read(before: deadline) {
                table.feed(piece)
            }
        } catch {
            if error == .interrupted { throw error }
        }
        return table.isOver ? table.wantsPosition : nil
    }

    /// Requests the corrections of a mountpoint and returns their first bytes.
    private func requestCorrections(
        _ address: StreamAddress, _ connection: CorrectionsConnection
    ) throws(CorrectionsConnection.Failure) -> [UInt8] {
        try connection.send(CasterRequest.corrections(of: address, password: source.password))
        let deadline = ContinuousClock.now + timeouts.connecting
        var answer = CasterAnswer()
        while let piece = try connection.read(before: deadline) {
            switch answer.feed(piece) {
            case .incomplete: continue
            case .corrections(let first): return first
            case .refused(let fault, let cause): throw .fault(fault, cause: cause)
            }
        }
        throw .fault(.silent, cause: "the caster does not answer")
    }

    private var currentSentence: [UInt8]? {
        guard let position = state.withLock({ $0.position }),
            .now - position.arrival < Self.positionInterval
        else { return nil }
        return NMEASentence.gga(position.position).bytes
    }

    private func report(_ status: CorrectionsStatus) { state.withLock { $0.status = status } }

    private func pause(for time: Duration) throws(CorrectionsConnection.Failure) {
        if interruption.happens(within: time) { throw .interrupted }
    }
}
