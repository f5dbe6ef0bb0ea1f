import Glibc
import LocationCore
import LocationGPSD
import LocwatchPlatform
import LocwatchSession

/// The machine that runs this program, inspected lazily and never changed.
final class ThisMachine: ExaminedMachine {
    /// The timeout of another program's answer.
    private static let timeout = Duration.seconds(2)

    private static let systemctl: [String] = ["/usr/bin/systemctl", "/bin/systemctl"]

    private var units: [String: UnitState?] = [:]

    init() {}

    lazy var libgps: String? = LibgpsVersion.library
    var libgpsIsBuiltIn: Bool { LibgpsVersion.isBuiltIn }

    lazy var gpsd: InstalledGPSD? = GPSDProgram.path.map { path in
        // /usr/sbin/gpsd: 3.22 (revision 3.22)
        let words = ProgramOutput.text(of: path, ["-V"], within: Self.timeout)?.split { $0 == " " || $0 == "\n" }
        let release = words.flatMap { $0.count > 1 && $0[0].hasSuffix("gpsd:") ? String($0[1]) : nil }
        let features = ProgramOutput.text(of: path, ["-h"], within: Self.timeout)
        return InstalledGPSD(
            path: path, release: release,
            takesSockets: features.map { $0.containsBytes(of: "socket activation") } ?? true)
    }

    var hasGPSD: Bool { GPSDProgram.path != nil }

    var confinement: ConfinementParts { .available }

    func install(_ package: String) -> String {
        let installers = [
            "/usr/bin/apt": "apt install", "/usr/bin/dnf": "dnf install", "/usr/bin/zypper": "zypper install",
            "/usr/bin/pacman": "pacman -S", "/sbin/apk": "apk add",
        ]
        let command = installers.first { access($0.key, X_OK) == 0 }.map(\.value) ?? "apt install"
        return "sudo \(command) \(package)"
    }

    func unit(_ name: String) -> UnitState? {
        if let known = units[name] { return known }
        let state = readUnit(name)
        units[name] = state
        return state
    }

    private func readUnit(_ name: String) -> UnitState? {
        // systemctl fails if systemd does not run.
        guard access("/run/systemd/system", F_OK) == 0,
            let program = Self.systemctl.first(where: { access($0, X_OK) == 0 }),
            let text = ProgramOutput.text(
                of: program, ["show", "-p", "LoadState,ActiveState", name], within: Self.timeout)
        else { return nil }
        func value(_ key: String) -> String? {
            text.split(separator: "\n").last { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
        }
        return UnitState(load: value("LoadState=") ?? "not-found", active: value("ActiveState=") ?? "inactive")
    }

    func file(_ path: String) -> FileAccess? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileAccess(
            owner: AccountDatabase.user(status.st_uid), ownerID: status.st_uid,
            group: AccountDatabase.group(status.st_gid), mode: status.st_mode & 0o7777,
            // Major number 1 contains devices that are not serial lines, such as /dev/null.
            isDevice: status.st_mode & S_IFMT == S_IFCHR && (UInt64(status.st_rdev) >> 8) & 0xFFF != 1)
    }

    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    func opens(_ path: String) -> Bool { access(path, R_OK | W_OK) == 0 }

    func names(in folder: String) -> [String] { FolderNames.list(folder) }

    func resolved(_ path: String) -> String { WrittenFolder.resolved(path) ?? path }

    func holders(of path: String) -> [DeviceHolder] {
        DeviceIdentity(path: path).map { DeviceHolder.readers(of: $0) } ?? []
    }

    lazy var user: Account = AccountDatabase.currentUser

    lazy var daemons: [RunningGPSD] = ProcessTable().daemons

    func text(_ path: String) -> String? { FileText.read(path) }

    func bytes(
        from path: String, at speed: Int?, within time: Duration, until isEnough: ([UInt8]) -> Bool
    ) -> [UInt8]? {
        // The private gpsd of the session that has just ended gets the time to end.
        let deadline = ContinuousClock.now + .seconds(2)
        while holders(of: path).contains(where: { $0.isOwn == true }), .now < deadline { usleep(20_000) }
        return LineListening.bytes(from: path, at: speed, within: time, until: isEnough)
    }

    func rawBytes(of device: String, at host: String, _ port: String, within time: Duration) -> Int? {
        RawTraffic.count(of: device, at: GPSDEndpoint(host: host, port: port), within: time)
    }

    var system: [String] {
        let release = FileText.read("/etc/os-release")?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        var kernel = utsname()
        guard uname(&kernel) == 0 else { return [release.map(Self.name)].compactMap(\.self) }
        func text<Field>(_ field: Field) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return [release.map(Self.name), "\(text(kernel.sysname)) \(text(kernel.release)) \(text(kernel.machine))"]
            .compactMap(\.self)
    }

    /// Returns the value of a line of os-release.
    private static func name(_ line: Substring) -> String {
        line.drop { $0 != "=" }.dropFirst().split(separator: "\"").joined()
    }

    var hostNames: [String] { HostName.all }

    func started(_ program: String) -> UInt64? { ProcessTable().started(program) }

    lazy var candidates: [String] = {
        let byID = FolderNames.list("/dev/serial/by-id").map { "/dev/serial/by-id/\($0)" }
        let named = Set(byID.map { resolved($0) })
        // On a Raspberry Pi the pins are serial0, and the other line is that of Bluetooth.
        let pins = exists("/dev/serial0") ? ["/dev/serial0"] : []
        let prefixes = ["ttyACM", "ttyUSB", "gnss", "pps"] + (pins.isEmpty ? ["ttyAMA"] : [])
        let plain = FolderNames.list("/dev").filter { name in prefixes.contains { name.hasPrefix($0) } }
            .map { "/dev/\($0)" }
        // A pulse per second alone is not a receiver, so it comes last.
        return byID + plain.filter { !named.contains($0) && !$0.hasPrefix("/dev/pps") } + pins
            + plain.filter { $0.hasPrefix("/dev/pps") }
    }()

    var clockIsSynchronized: Bool? { HostClock.isSynchronized }
}
