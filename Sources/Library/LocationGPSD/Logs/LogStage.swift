import Glibc
import LocationCore
import LocationRecordings
import LocwatchPlatform

/// A private gpsd that decodes a log, with the thread between it, the log and the reader.
final class LogStage: DecodingStage {
    let output: Int32
    let gpsd: PrivateGPSD
    private let playback: LogPlayback
    private let thread: NativeThread

    /// Starts gpsd and the thread; the result has the error of a gpsd that does not start.
    static func start(
        _ log: RawLog, at socket: UnlinkedSocket, settings: PrivateGPSD.Settings
    ) throws(SystemFailure) -> Result<LogStage, LocationError> {
        let input = try PrivatePipe()
        var ends = [input.readEnd, input.writeEnd]
        func closeAll() { for end in ends { close(end) } }
        input.holdLittle()
        let gpsd: PrivateGPSD
        do throws(LocationError) {
            gpsd = try PrivateGPSD(.log(pipe: input.readEnd, at: socket), settings: settings, interruption: nil)
        } catch {
            closeAll()
            return .failure(error)
        }
        do throws(SystemFailure) {
            let result = try PrivatePipe()
            ends += [result.readEnd, result.writeEnd]
            let client = try socket.connect()
            ends.append(client)
            for end in [input.writeEnd, result.readEnd, result.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            let playback = try LogPlayback(log, into: input.writeEnd, client: client, to: result.writeEnd)
            let thread = try NativeThread { playback.run() }
            close(input.readEnd)
            return .success(LogStage(output: result.readEnd, gpsd, playback, thread))
        } catch {
            gpsd.end()
            closeAll()
            throw error
        }
    }

    private init(output: Int32, _ gpsd: PrivateGPSD, _ playback: LogPlayback, _ thread: NativeThread) {
        self.output = output
        self.gpsd = gpsd
        self.playback = playback
        self.thread = thread
    }

    var decoder: String? { gpsd.release.map { "this gpsd (\($0))" } }
    var bytesRead: Int { playback.status.bytes }
    var hasGivenUp: Bool { playback.status.hasGivenUp || playback.status.isExcessive }

    func takeNotices() -> [Notice] { playback.takeNotices() }

    func failure(named name: String) -> LocationError? {
        let status = playback.status
        if status.isExcessive { return InputExpansion.error(named: name) }
        if let code = status.failure { return .unreadable(name, code) }
        guard status.isCutOff else { return nil }
        let how: String
        switch gpsd.ending(within: .seconds(2)) {
        case .signalled(let signal): how = "was ended by signal \(signal)"
        case .exited(let code): how = "ended with code \(code)"
        case .unknown: how = "ended"
        case nil: how = "stopped reading"
        }
        return .damaged(path: name, cause: "gpsd \(how) within its first \(status.bytes) bytes")
    }

    func end() {
        close(output)
        playback.end()
        thread.join()
        gpsd.end()
    }
}
