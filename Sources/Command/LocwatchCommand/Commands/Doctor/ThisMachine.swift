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

    func resolved(_ path: String) -> String { WrittenFolder.resolved(path) ?? path }

    func holders(of path: String) -> [DeviceHolder] {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return [] }
        return DeviceHolder.readers(of: UInt64(status.st_rdev))
    }

    lazy var user: Account = AccountDatabase.currentUser

    lazy var daemon: Account? = AccountDatabase.runner(of: "gpsd")

    func text(_ path: String) -> String? { FileText.read(path) }

    func started(_ program: String) -> UInt64? {
        AccountDatabase.processes(of: program).lazy.compactMap { FileText.read("\($0)/stat") }.first
            .flatMap(Self.start)
    }

    /// Returns the start of a process from the text of its /proc/…/stat, where it is the 22nd field.
    static func start(inStat text: String) -> UInt64? {
        // The second field is a name in parentheses, which can contain spaces and parentheses itself.
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ")
        return fields.count > 20 ? UInt64(fields[20]) : nil
    }

    lazy var candidates: [String] = {
        let byID = FolderNames.list("/dev/serial/by-id").map { "/dev/serial/by-id/\($0)" }
        let named = Set(byID.map { resolved($0) })
        let prefixes = ["ttyACM", "ttyUSB", "ttyAMA", "gnss", "pps"]
        let plain = FolderNames.list("/dev").filter { name in prefixes.contains { name.hasPrefix($0) } }
            .map { "/dev/\($0)" }
        // A pulse per second alone is not a receiver, so it comes last.
        return byID + plain.filter { !named.contains($0) && !$0.hasPrefix("/dev/pps") }
            + plain.filter { $0.hasPrefix("/dev/pps") }
    }()

    var clockIsSynchronized: Bool? { HostClock.isSynchronized }
}
