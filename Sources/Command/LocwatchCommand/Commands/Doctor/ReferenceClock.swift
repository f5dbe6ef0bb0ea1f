import LocwatchSession

/// A reference clock of a time service that takes the time from gpsd, by shared memory or by a socket.
struct ReferenceClock: Hashable, Sendable {
    /// A time service that runs.
    enum Service: CaseIterable {
        case chrony, ntp

        var name: String { self == .chrony ? "chrony" : "ntpd" }

        var program: String { self == .chrony ? "chronyd" : "ntpd" }

        /// The configuration files, and the folders with more of them.
        var files: (paths: [String], folders: [String]) {
            switch self {
            case .chrony: (["/etc/chrony/chrony.conf", "/etc/chrony.conf"], ["/etc/chrony/conf.d", "/etc/chrony.d"])
            case .ntp: (["/etc/ntpsec/ntp.conf", "/etc/ntp.conf"], ["/etc/ntpsec/ntp.d"])
            }
        }
    }

    let service: Service
    /// The file with its line.
    let file: String
    /// The path of the socket, unless the clock has shared memory.
    let socket: String?

    /// Returns the reference clocks of the time services that run.
    static func all(_ machine: any ExaminedMachine) -> [ReferenceClock] {
        Service.allCases.filter { machine.started($0.program) != nil }.flatMap { all(of: $0, machine) }
    }

    /// Returns the reference clocks in the configuration of a service.
    static func all(of service: Service, _ machine: any ExaminedMachine) -> [ReferenceClock] {
        let (paths, folders) = service.files
        let more = folders.flatMap { folder in
            machine.names(in: folder).filter { $0.hasSuffix(".conf") }.map { "\(folder)/\($0)" }
        }
        return (paths + more).flatMap { path in
            (machine.text(path) ?? "").split(whereSeparator: \.isNewline).compactMap { line in
                ReferenceClock(line.split { $0 == " " || $0 == "\t" }, in: path, of: service)
            }
        }
    }

    /// Creates the clock of a line, or returns `nil` if the line has none of gpsd.
    private init?(_ words: [Substring], in file: String, of service: Service) {
        let lowercase = words.prefix(2).map { $0.lowercased() }
        guard lowercase.count == 2 else { return nil }
        switch (service, lowercase[0], lowercase[1]) {
        // Options of the driver follow the path after a colon.
        case (.chrony, "refclock", "sock") where words.count > 2:
            socket = words[2].split(separator: ":").first.map(String.init)
        case (_, "refclock", "shm"): socket = nil
        // The shared memory in the older form of ntpd.
        case (.ntp, "server", let address) where address.hasPrefix("127.127.28."): socket = nil
        default: return nil
        }
        self.service = service
        self.file = file
    }
}
