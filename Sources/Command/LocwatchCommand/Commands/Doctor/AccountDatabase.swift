import Glibc
import LocwatchSession

/// The system's database of users and groups.
enum AccountDatabase {
    static func user(_ id: UInt32) -> String {
        guard let entry = getpwuid(id) else { return String(id) }
        return String(cString: entry.pointee.pw_name)
    }

    static func group(_ id: UInt32) -> String {
        guard let entry = getgrgid(id) else { return String(id) }
        return String(cString: entry.pointee.gr_name)
    }

    static var currentUser: Account {
        var groups = [gid_t](repeating: 0, count: 256)
        let count = getgroups(Int32(groups.count), &groups)
        let own = [getegid()] + groups.prefix(max(0, Int(count)))
        let name = user(geteuid())
        return Account(
            name: name, id: geteuid(), groups: own.map(group),
            futureGroups: members(name).filter { !own.contains($0) }.map(group))
    }

    /// Returns the account of a process from the text of its /proc/…/status.
    static func account(_ status: String) -> Account? {
        func numbers(_ key: String) -> [UInt32] {
            let line = status.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
            return line.dropFirst(key.count).split { $0 == " " || $0 == "\t" }.compactMap { UInt32($0) }
        }
        // The numbers are the real, effective, saved and file system IDs; the effective one decides.
        let users = numbers("Uid:")
        guard users.count > 1 else { return nil }
        let groups = numbers("Gid:").dropFirst().prefix(1) + numbers("Groups:")
        return Account(name: user(users[1]), id: users[1], groups: groups.map(group))
    }

    /// Returns the groups of an account in the database, which take effect at the next login.
    private static func members(_ name: String) -> [gid_t] {
        guard let entry = getpwnam(name) else { return [] }
        var count: Int32 = 256
        var groups = [gid_t](repeating: 0, count: Int(count))
        return getgrouplist(name, entry.pointee.pw_gid, &groups, &count) < 0 ? [] : Array(groups.prefix(Int(count)))
    }
}
