import GPSDReports
import Glibc
import LocationCore
import Platform

/// One attempt to start a gpsd at a port.
final class GPSDLaunch {
    private let device: String
    private let port: UInt16
    private let limit: Duration
    private let memoryKey: key_t
    private let child: ChildProcess
    /// The read end of the daemon's standard error.
    private let complaints: Int32
    private var complaint: [UInt8] = []
    private var client: Int32 = -1
    private var lines = LineReader()
    private var decoder = ReportDecoder()
    private var isReady = false

    init(program: String, device: String, port: UInt16, settings: PrivateGPSD.Settings) throws(SystemFailure) {
        self.device = device
        self.port = port
        limit = settings.limit
        // A segment of its own: gpsd's usual one may be that of the system's daemon.
        memoryKey = key_t(0x4C57_0000 + Int32(port))
        let pipe = try PrivatePipe()
        _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
        complaints = pipe.readEnd
        defer { close(pipe.writeEnd) }
        // Without a control socket, which nobody uses: it would outlive a daemon that is killed.
        var arguments = ["-N", "-n", "-S", String(port)]
        if settings.isReadOnly { arguments.append("-b") }
        if let speed = settings.speed { arguments += ["-s", String(speed)] }
        do throws(SystemFailure) {
            child = try ChildProcess(
                path: program, arguments: arguments + [device],
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "GPSD_SHM_KEY": String(memoryKey)],
                error: pipe.writeEnd)
        } catch {
            close(pipe.readEnd)
            throw error
        }
    }

    // From here on the daemon's complaints are heard by nobody; gpsd ignores SIGPIPE.
    deinit {
        close(complaints)
        if client >= 0 { close(client) }
    }

    /// The daemon once it answers and has the device; `nil` when another program has the port.
    func process(before deadline: ContinuousClock.Instant, interruption: Event?) throws(LocationError) -> ChildProcess?
    {
        defer { removeSharedMemory() }
        while true {
            removeSharedMemory()
            hearComplaints()
            if hasCollided {
                child.end()
                return nil
            }
            // The complaints first: who answers at a port that gpsd did not get is not gpsd.
            if isReady { return child }
            if let ending = child.endingIfAny {
                hearComplaints()
                throw failure(ending)
            }
            let left = deadline - ContinuousClock.now
            guard left > .zero else {
                child.end()
                throw .daemonUnavailable(cause: "gpsd did not answer within \(limit)" + said)
            }
            if client < 0 { connect() }
            // gpsd takes connections a few milliseconds after its start, and tells nobody when.
            let pause = client < 0 ? min(left, .milliseconds(20)) : min(left, .milliseconds(200))
            var watched = [
                pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: complaints, events: Int16(POLLIN), revents: 0),
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&watched, 3, pause.wholeMilliseconds)
            if watched[0].revents != 0 {
                // gpsd has nothing to put in order, and may be too busy with the device to listen to a milder signal.
                child.send(SIGKILL)
                child.end()
                throw .cancelled
            }
            if watched[2].revents != 0 { read() }
        }
    }

    private func connect() {
        client = (try? LoopbackPort.connect(to: port)) ?? -1
    }

    private func read() {
        let count = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = recv(client, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                lines.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line in
                    if case .line(let bytes) = line { take(bytes) }
                }
            }
            return count
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) {
            close(client)
            client = -1
            lines = LineReader()
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) {
        switch try? decoder.decode(bytes) {
        case .version:
            let question = Array("?DEVICES;".utf8)
            _ = send(client, question, question.count, Int32(MSG_NOSIGNAL))
        // Another's gpsd at the same port has another device.
        case .devices(let report): isReady = report.devices.contains { $0.path == device }
        default: break
        }
    }

    private func hearComplaints() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            while true {
                let count = Glibc.read(complaints, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                if complaint.count < 16_384 { complaint += buffer[..<count] }
            }
        }
    }

    /// Whether gpsd did not get its port, of IPv4 or of IPv6; it runs on all the same.
    private var hasCollided: Bool {
        text.contains { $0.holds("can't bind to IPv") && $0.holds("Address already in use") }
    }

    private var text: [Substring] {
        String(decoding: complaint, as: UTF8.self).split(separator: "\n").filter { !$0.holds("DBUS") }
    }

    /// What gpsd said, for a message.
    private var said: String { text.isEmpty ? "" : ": " + text.joined(separator: "; ") }

    private func failure(_ ending: ChildProcess.Ending) -> LocationError {
        let device = text.first { $0.holds(self.device) } ?? ""
        if device.holds("already opened by another process") {
            return .deviceUnusable(path: self.device, cause: .busy(holder: nil))
        }
        if device.holds("Permission denied") { return .deviceUnusable(path: self.device, cause: .notPermitted) }
        if device.holds("No such file") { return .deviceUnusable(path: self.device, cause: .missing) }
        let how =
            switch ending {
            case .exited(let code): "gpsd ended at once with code \(code)"
            case .signalled(let signal): "gpsd was ended at once by signal \(signal)"
            case .unknown: "gpsd ended at once"
            }
        return .daemonUnavailable(cause: how + said)
    }

    /// Removes gpsd's segment, which gpsd could not do any more once it has dropped root's rights.
    ///
    /// It lives on for those who have it, and is gone with the last of them, so that nothing is left after SIGKILL either.
    private func removeSharedMemory() {
        let segment = shmget(memoryKey, 0, 0)
        if segment >= 0 { shmctl(segment, IPC_RMID, nil) }
    }
}
