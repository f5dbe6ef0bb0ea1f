import Foundation
package import LocationPublishing
import LocwatchPlatform

/// Debian's mosquitto on a free port of this machine, ended with the value.
package final class MosquittoServer {
    /// The port, which stays the same when the broker is started again.
    package let port: UInt16
    /// Closures that are called when the broker ends, such as to end its clients.
    package var companions: [() -> Void] = []
    private let folder: Scratch
    /// The socket that keeps the port while the broker does not run, as other tests look for free ones.
    private let reserved: ReservedPort
    private var child: ChildProcess?

    /// Prepares a broker with further lines of its configuration and files that these name, and starts it.
    ///
    /// - Parameters:
    ///   - lines: The lines of the configuration, in which `FOLDER` stands for the folder of the files.
    ///   - files: The contents of files by their names.
    ///   - users: The passwords of users; with any, others are refused.
    ///   - port: The port, or 0 for a free one.
    ///   - isStarted: Whether the broker is started at once.
    package init(
        _ lines: [String] = [], files: [String: String] = [:], users: [String: String] = [:], at port: UInt16 = 0,
        isStarted: Bool = true
    ) throws {
        folder = try Scratch()
        reserved = ReservedPort(port)
        self.port = reserved.number
        for (name, text) in files { try folder.write(text, to: name) }
        var configuration = ["listener \(self.port) 127.0.0.1", "log_type all", "log_dest file \(folder.path("log"))"]
        // Started by root, mosquitto would become a user that cannot read the files.
        configuration.append("user root")
        configuration.append("allow_anonymous \(users.isEmpty)")
        if !users.isEmpty {
            try folder.write("", to: "passwords")
            for (user, password) in users {
                try run(
                    "/usr/bin/mosquitto_passwd", package: "mosquitto", ["-b", "passwords", user, password],
                    in: folder.url)
            }
            configuration.append("password_file \(folder.path("passwords"))")
        }
        configuration += lines.map { $0.replacingOccurrences(of: "FOLDER", with: folder.url.path) }
        try folder.write(configuration.joined(separator: "\n") + "\n", to: "configuration")
        if isStarted { try start() }
    }

    /// A broker with a certificate, and the authority of those that its clients need, if they need one.
    package convenience init(_ certificate: Certificate, clientAuthority: String? = nil) throws {
        var lines = ["certfile \(certificate.file)", "keyfile \(certificate.key)"]
        if let clientAuthority { lines += ["cafile \(clientAuthority)", "require_certificate true"] }
        try self.init(lines)
    }

    deinit {
        for end in companions { end() }
        child?.end()
        close(reserved.descriptor)
    }

    package var log: String { (try? folder.text("log")) ?? "" }

    /// Starts the broker and waits until it accepts connections.
    package func start() throws {
        try requireProgram("/usr/sbin/mosquitto", package: "mosquitto")
        child = try ChildProcess(
            path: "/usr/sbin/mosquitto", arguments: ["-c", folder.path("configuration")], environment: [:])
        try wait(orThrow: "mosquitto does not run: \(log)") {
            guard let connection = try? LoopbackPort.connect(to: port) else { return false }
            close(connection)
            return true
        }
    }

    /// Waits until a condition holds, as long as the broker exists; only the pauses count, half a minute in all.
    private func wait(orThrow failure: @autoclosure () -> String, until isSo: () -> Bool) throws {
        var pauses = 0
        while !isSo() {
            guard child?.endingIfAny == nil, pauses < 15_000 else { throw ProgramFailure(description: failure()) }
            usleep(2_000)
            pauses += 1
        }
    }

    /// Ends the broker as a crash does.
    package func kill() {
        child?.send(SIGKILL)
        _ = child?.wait()
        child = nil
    }

    /// Stops the broker in its tracks until `resume()`.
    package func suspend() throws {
        guard let child else { return }
        child.send(SIGSTOP)
        let process = RunningProcess(child.processID)
        try wait(orThrow: "mosquitto does not stop") { process.status("State")?.hasPrefix("T") == true }
    }

    /// Lets a suspended broker go on.
    package func resume() { child?.send(SIGCONT) }

    /// The settings of a connection to the broker.
    package func settings(_ clientID: String = "publisher", authority: String? = nil) -> MQTTSettings {
        var settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: clientID)
        if let authority {
            var encryption = MQTTSettings.Encryption()
            encryption.authorityFile = authority
            settings.encryption = encryption
        }
        return settings
    }
}
