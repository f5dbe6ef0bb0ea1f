import Glibc
import LocationCore
import GPSDProtocol
import LocwatchPlatform

/// One attempt to start a gpsd and to reach it.
final class GPSDStartup {
    /// The way in which clients reach the daemon.
    enum Access {
        /// A Unix socket that other users cannot connect to.
        case socket(UnlinkedSocket)
        /// A TCP port of 127.0.0.1, open to every user of the machine.
        case port(UInt16)
    }

    private let opening: GPSDInput
    /// Whether no other address of a stream is left to try.
    private let isLast: Bool
    private let access: Access
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
    /// The release of the daemon, as it states it.
    private(set) var release: String?
    /// The request to open a stream, over a socket that shows the name of the stream to no other program.
    private let request: DeviceRequest?
    /// The connection that gpsd makes in the background, until its outcome is known.
    private var background: PendingConnection?

    init(
        program: String, opening: GPSDInput, isLast: Bool, access: Access, settings: PrivateGPSD.Settings,
        corrections: CorrectionsPipe?
    ) throws(SystemFailure) {
        self.opening = opening
        self.isLast = isLast
        self.access = access
        limit = settings.limit
        // Not gpsd's usual key, whose segment may belong to the system's daemon.
        memoryKey = key_t.random(in: 0x4C57_0000...0x4C57_FFFF)
        let pipe = try PrivatePipe()
        _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
        complaints = pipe.readEnd
        defer { close(pipe.writeEnd) }
        // No control socket: nothing uses it, and its file would outlive a daemon that is killed.
        var arguments = ["-N", "-n"]
        // A gpsd that may write does not configure the receiver by itself; its driver for MediaTek does not know `-p`.
        arguments.append(settings.isReadOnly ? "-b" : "-p")
        if let speed = settings.speed { arguments += ["-s", String(speed)] }
        let environment = [
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "GPSD_SHM_KEY": String(memoryKey),
            // gpsd broadcasts each position on the system's bus, which every user can listen to.
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/dev/null",
        ]
        var confinement = opening.confinement(isReadOnly: settings.isReadOnly, pipe: corrections?.path)
        if case .port(let port) = access { confinement = confinement.listening(at: port) }
        confinement.parts = settings.confinedParts
        confinement.trapsUnlisted = settings.trapsUnlistedCalls
        func start(_ port: String, _ sockets: [Int32], _ devices: [String]) throws(SystemFailure) -> ChildProcess {
            var input: Int32?
            if case .log(let pipe, _) = opening { input = pipe }
            return try ChildProcess(
                path: program, arguments: arguments + ["-S", port] + devices, environment: environment,
                // A process that is confined itself cannot open /dev/null for it.
                input: input, output: input == nil ? nil : pipe.writeEnd, error: pipe.writeEnd,
                sockets: sockets, confinement: confinement,
                // A gpsd of a log has nothing to do at its end.
                grace: input == nil ? settings.grace : .zero)
        }
        do throws(SystemFailure) {
            switch access {
            case .port(let port):
                request = nil
                child = try start(String(port), [], [opening.device])
            case .socket(let socket):
                // gpsd ignores the port when it takes the sockets. If it does not, port 0 makes it exit at once.
                // It takes the first socket for its control socket.
                if case .stream(let stream) = opening {
                    let control = try UnlinkedSocket()
                    request = DeviceRequest(stream.name, at: control)
                    child = try control.handOver { (control) throws(SystemFailure) in
                        try socket.handOver { (listener) throws(SystemFailure) in
                            try start("0", [control, listener], [])
                        }
                    }
                } else {
                    request = nil
                    // An event that never happens keeps the control socket quiet.
                    let control = try Event()
                    let devices = [opening.device] + (corrections.map { [$0.path] } ?? [])
                    child = try socket.handOver { (listener) throws(SystemFailure) in
                        try start("0", [control.descriptor, listener], devices)
                    }
                }
            }
        } catch {
            close(pipe.readEnd)
            throw error
        }
    }

    // Closing the pipe does not end the daemon, because gpsd ignores SIGPIPE; its later complaints are lost.
    deinit {
        close(complaints)
        if client >= 0 { close(client) }
    }

    /// Returns the daemon once it answers and has the device, or `nil` if it cannot be reached in this way.
    func process(before deadline: ContinuousClock.Instant, interruption: Event?) throws(LocationError) -> ChildProcess?
    {
        defer { removeSharedMemory() }
        while true {
            removeSharedMemory()
            let ending = child.endingIfAny
            hearComplaints()
            if isShutOut {
                child.end()
                return nil
            }
            // After the complaints: a program that answers at a port that gpsd did not get is not gpsd.
            if isReady { return child }
            if let ending { throw failure(ending) }
            if request?.isRefused == true, case .stream(let stream) = opening {
                child.end()
                throw failure(of: stream)
            }
            let left = deadline - ContinuousClock.now
            guard left > .zero else {
                child.send(SIGKILL)
                child.end()
                guard case .stream(let stream) = opening, request?.isSent != false else {
                    throw .daemonUnavailable(cause: "gpsd did not answer within \(limit)" + said)
                }
                // gpsd waits for the network, and answers nothing meanwhile.
                let cause = SystemFailure("connect", code: ETIMEDOUT).reason
                throw .streamUnavailable(address: "\(stream.address)", cause: cause)
            }
            if client < 0 { connect() }
            try follow(interruption)
            // gpsd accepts connections a few milliseconds after its start, without announcing it.
            let pause = client < 0 ? .milliseconds(20) : background?.timeLeft ?? .milliseconds(200)
            let (stop, requested) = (interruption?.descriptor ?? -1, request?.descriptor ?? -1)
            let ready = PollSet.wait(for: [stop, complaints, client, requested], within: min(left, pause))
            if ready.isReady(stop) {
                // gpsd has nothing to clean up, and may be too busy with the device to handle SIGTERM.
                child.send(SIGKILL)
                child.end()
                throw .cancelled
            }
            if ready.isReady(client) { read() }
            if ready.isReady(requested), request?.readAnswer() == true { accept() }
        }
    }

    /// Whether gpsd opens the stream in the background.
    var opensInBackground: Bool { request?.opensInBackground ?? false }

    /// Returns the connection to the daemon that has to last as long as the daemon, if any.
    func takeClient() -> OwnedDescriptor? {
        guard GPSDQuirks.confusesNumbersOfCasters, case .stream(let stream) = opening,
            stream.address.scheme == .ntrip, opensInBackground
        else { return nil }
        defer { client = -1 }
        return OwnedDescriptor(client)
    }

    /// Notes that gpsd has accepted the stream, which is open unless gpsd still connects.
    private func accept() {
        if case .stream(let stream) = opening, stream.address.scheme == .tcp, opensInBackground {
            background = PendingConnection(isLast: isLast)
        } else {
            isReady = true
        }
    }

    /// Asks what has become of a connection in the background, and connects to the same address if gpsd has no answer in time.
    private func follow(_ interruption: Event?) throws(LocationError) {
        guard background?.isDue == true, case .stream(let stream) = opening else { return }
        guard background?.isOver == true else {
            background?.noteQuestion()
            return ask()
        }
        background = nil
        if stream.connectionError(interruption: interruption) == nil { isReady = true } else { request?.refuse() }
    }

    private func ask() {
        let question = Array("?DEVICES;".utf8)
        _ = send(client, question, question.count, Int32(MSG_NOSIGNAL))
    }

    private func connect() {
        let connection =
            switch access {
            case .port(let port): try? LoopbackPort.connect(to: port)
            case .socket(let socket): try? socket.connect()
            }
        client = connection ?? -1
    }

    private func read() {
        let count = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = recv(client, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                var place = 0
                while let line = lines.next(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: &place) {
                    if case .line(let bytes) = line { process(bytes) }
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

    private func process(_ bytes: UnsafeRawBufferPointer) {
        switch try? decoder.decode(bytes) {
        case .version(let report):
            release = report.release
            if request != nil { request?.send() } else { ask() }
        case .devices(let report) where background != nil:
            switch background?.outcome(of: report.devices.first { $0.path == opening.device }?.activated) {
            case .open: (background, isReady) = (nil, true)
            case .closed: request?.refuse()
            case .undecided, nil: break
            }
        // A gpsd of another program at the same port has another device.
        case .devices(let report): isReady = report.devices.contains { $0.path == opening.device }
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

    /// Whether clients cannot reach gpsd in this way, so that another has to be tried.
    private var isShutOut: Bool {
        switch access {
        // gpsd runs on with IPv6 alone if another program has its port of IPv4, and the other way round.
        case .port:
            text.contains {
                $0.containsBytes(of: "can't bind to IPv") && $0.containsBytes(of: "Address already in use")
            }
        // A gpsd that was built without socket activation, or one that a security module keeps from the socket.
        case .socket: text.contains { $0.containsBytes(of: "service entry") || $0.containsBytes(of: "accept: fail") }
        }
    }

    private var text: [Substring] {
        opening.redacted(String(decoding: complaint, as: UTF8.self)).split(separator: "\n").filter { line in
            // These failures are intended: its confinement denies gpsd the bus, shared memory and the list of processes.
            !["DBUS", "shmget", "opendir(/proc)"].contains { line.containsBytes(of: $0) }
        }
    }

    /// gpsd's complaints, for a message.
    private var said: String {
        let words = text.map(String.init) + [UlimitWarnings.stack, UlimitWarnings.memory].compactMap(\.self)
        return words.isEmpty ? "" : ": " + words.joined(separator: "; ")
    }

    /// Returns the error for a stream that gpsd cannot open; its cause takes a connection.
    private func failure(of stream: StreamDevice) -> LocationError {
        isLast ? stream.failure(said) : .streamUnavailable(address: "\(stream.address)", cause: said)
    }

    private func failure(_ ending: ChildProcess.Ending) -> LocationError {
        if case .stream(let stream) = opening { return failure(of: stream) }
        let path = opening.place
        let device = text.first { $0.containsBytes(of: path) } ?? ""
        if device.containsBytes(of: "already opened by another process") {
            return .deviceUnusable(path: path, cause: .busy(holder: nil))
        }
        if device.containsBytes(of: "Permission denied") {
            return .deviceUnusable(path: path, cause: .notPermitted)
        }
        if device.containsBytes(of: "No such file") { return .deviceUnusable(path: path, cause: .missing) }
        let how =
            switch ending {
            case .exited(let code): "gpsd ended at once with code \(code)"
            case .signalled(let signal): "gpsd was ended at once by signal \(signal)"
            case .unknown: "gpsd ended at once"
            }
        return .daemonUnavailable(cause: how + said)
    }

    /// Removes gpsd's shared memory on a kernel that does not keep gpsd from making it.
    ///
    /// gpsd cannot remove it any more once it has dropped root's rights. Processes that are attached keep it until they
    /// end.
    private func removeSharedMemory() {
        let segment = shmget(memoryKey, 0, 0)
        if segment >= 0 { shmctl(segment, IPC_RMID, nil) }
    }
}
