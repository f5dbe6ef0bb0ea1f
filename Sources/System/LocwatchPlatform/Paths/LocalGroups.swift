package import Glibc

/// The groups of this machine and their members, as `/etc/group` and `/etc/passwd` have them.
///
/// Ubuntu, Fedora and others give each user a group without other members, and new files a mode with which their group can write them.
package struct LocalGroups {
    private let members: [gid_t: [Substring]]
    private let users: [(name: Substring, id: uid_t, group: gid_t)]

    package init() {
        func text(_ path: String) -> String { (try? FileText.contents(of: path, limit: 1 << 22)) ?? "" }
        self.init(groups: text("/etc/group"), users: text("/etc/passwd"))
    }

    /// Parses the texts of both files.
    package init(groups: String, users: String) {
        func fields(_ text: String) -> [[Substring]] {
            text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        }
        members = fields(groups).reduce(into: [:]) { members, group in
            guard group.count >= 4, let id = gid_t(group[2]) else { return }
            members[id, default: []] += group[3].split(separator: ",")
        }
        self.users = fields(users).compactMap { user in
            guard user.count >= 4, let id = uid_t(user[2]), let group = gid_t(user[3]) else { return nil }
            return (user[0], id, group)
        }
    }

    /// Returns whether a group has a member other than a user and root; it may have one if it is not a group of these files.
    package func hasMembers(_ group: gid_t, besides owner: uid_t) -> Bool {
        guard let named = members[group] else { return true }
        let names = users.filter { [0, owner].contains($0.id) }.map(\.name)
        return named.contains { !names.contains($0) }
            || users.contains { $0.group == group && ![0, owner].contains($0.id) }
    }
}
