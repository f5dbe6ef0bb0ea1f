import Glibc
import LocationCore
import GPSDProtocol
import LocwatchPlatform
import LocwatchSupport

/// A private gpsd that decodes a log, with the thread that starts it and then stands between it, the log and the reader.
final class LogStage: DecodingStage {
    /// The time in which a gpsd that reads no more has ended.
    private static let endLimit = Duration.seconds(2)

    let output: Int32
    private let playback: LogPlayback
    private let start = Lock<Result<PrivateGPSD, LocationError>?>(nil)
    private let gpsdEnd = Lock<ExpectedEnd?>(nil)
    private let thread = Lock<NativeThread?>(nil)

    /// Starts the thread, which starts a gpsd that clients reach at a socket.
    init(_ log: RawLog, at socket: UnlinkedSocket, settings: PrivateGPSD.Settings) throws(SystemFailure) {
        let input = try PrivatePipe()
        var ends = [input.readEnd, input.writeEnd]
        do throws(SystemFailure) {
            input.holdLittle()
            let result = try PrivatePipe()
            ends += [result.readEnd, result.writeEnd]
            for end in [input.writeEnd, result.readEnd, result.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            output = result.readEnd
            playback = try LogPlayback(log, into: input.writeEnd, to: result.writeEnd)
            let thread = try NativeThread { [self] in
                play(GPSDInput.log(pipe: input.readEnd, at: socket), settings, closing: input.readEnd)
                for end in [input.writeEnd, result.writeEnd] { close(end) }
            }
            self.thread.withLock { $0 = thread }
        } catch {
            for end in ends { close(end) }
            throw error
        }
    }

    /// Starts gpsd, whose end of the pipe is closed here, and passes the log through it.
    private func play(_ opening: GPSDInput, _ settings: PrivateGPSD.Settings, closing pipe: Int32) {
        let result = Result { () throws(LocationError) in
            try PrivateGPSD(opening, settings: settings, interruption: playback.stop)
        }
        close(pipe)
        guard case .success(let gpsd) = result, case .log(_, let socket) = opening else {
            start.withLock { $0 = result }
            return
        }
        gpsdEnd.withLock { $0 = ExpectedEnd(within: Self.endLimit) { gpsd.ending(within: $0) } }
        start.withLock { $0 = result }
        do throws(SystemFailure) {
            let client = try socket.connect()
            defer { close(client) }
            playback.run(client)
        } catch {
            start.withLock { $0 = .failure(.daemonUnavailable(cause: "\(error)")) }
        }
    }

    /// The gpsd that decodes, once it has started.
    var gpsd: PrivateGPSD? { start.withLock { try? $0?.get() } }

    /// The error of a gpsd that does not start.
    private var startFailure: LocationError? {
        if case .failure(let error) = start.withLock({ $0 }) { error } else { nil }
    }

    var decoder: String? { gpsd?.release.map { "this gpsd (\($0))" } }
    var bytesRead: Int { playback.status.bytes }
    var hasGivenUp: Bool {
        let status = playback.status
        return status.hasGivenUp || status.isExcessive || status.isCutOff || startFailure != nil
    }

    func takeNotices() -> [Notice] { playback.takeNotices() }

    var pendingEnd: Int32? {
        let status = playback.status
        guard status.isCutOff, !status.isExcessive, status.failure == nil else { return nil }
        return gpsdEnd.withLock { $0 }?.descriptor
    }

    func failure(named name: String) -> LocationError? {
        if let startFailure { return startFailure }
        let status = playback.status
        if status.isExcessive { return InputExpansion.error(named: name) }
        if let code = status.failure { return .unreadable(name, code) }
        guard status.isCutOff else { return nil }
        let how: String
        switch gpsdEnd.withLock({ $0 })?.ending {
        case .signalled(let signal): how = "was ended by signal \(signal)"
        case .exited(let code): how = "ended with code \(code)"
        case .unknown: how = "ended"
        case nil: how = "stopped reading"
        }
        return .damaged(path: name, cause: "gpsd \(how) within its first \(status.bytes) bytes")
    }

    func end() {
        close(output)
        playback.stop.happen()
        thread.withLock { $0 }?.join()
        gpsd?.end()
    }
}
