import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The reasons why a device cannot be opened, as faults with their remedies.
package enum DeviceObstacle {
    /// Returns the obstacle to opening a path, or `nil` if none is visible.
    ///
    /// - Parameter account: The account that opens the path; `nil` skips the check of permissions.
    package static func find(at path: String, for account: Account?, _ machine: any ExaminedMachine) -> Finding? {
        guard let file = machine.file(path) else { return missing(path, machine) }
        guard file.isDevice else { return noDevice(path) }
        if let account, let refusal = refusal(of: path, file, to: account, machine) { return refusal }
        if let holder = machine.holders(of: path).first { return held(path, by: holder, machine) }
        return confinement(of: path, machine)
    }

    package static func missing(_ path: String, _ machine: any ExaminedMachine) -> Finding {
        let others = machine.candidates.filter { $0 != path }
        let byID = others.filter { $0.hasPrefix("/dev/serial/by-id/") }
        let why =
            others.isEmpty
            ? "no possible receiver is plugged in"
            : "a USB receiver gets a new number when it is plugged in again; a path in /dev/serial/by-id stays"
        let steps =
            others.isEmpty
            ? ["plug in the receiver and check that the kernel finds it: sudo dmesg | tail"]
            : ["use the path of the receiver: \((byID.isEmpty ? others : byID).joined(separator: ", "))"]
        return .fault(.noInput, "\(path) does not exist", why: why, remedy: steps)
    }

    private static func noDevice(_ path: String) -> Finding {
        .fault(
            .noInput, "\(path) is not a serial device", why: "a receiver is a character device such as /dev/ttyACM0",
            remedy: "list the connected receivers: ls -l /dev/serial/by-id")
    }

    // MARK: Permissions

    /// Returns the obstacle that an account may not open a path, or `nil` if it may.
    package static func refusal(
        of path: String, _ file: FileAccess, to account: Account, _ machine: any ExaminedMachine
    ) -> Finding? {
        guard !file.isOpen(to: account) else { return nil }
        let isMe = account.id == machine.user.id
        let found = "\(path) (\(file.words)) cannot be opened by \(isMe ? "you, " : "")\(account.name)"
        let user = ShellWords.quoted(account.name)
        if account.futureGroups.contains(file.group), file.isOpenToGroup {
            return .fault(
                .denied, found, why: "the membership of \(file.group) takes effect at the next login",
                remedy: "log out and in again, or try now: newgrp \(ShellWords.quoted(file.group))")
        }
        if machine.isTerminal(path) {
            return .fault(
                .denied, found, why: "a pseudo terminal belongs to the user who made it",
                remedy: "read it as \(file.owner), or start the program that made it as \(account.name)")
        }
        let restart = isMe ? "log out and in again" : "sudo systemctl restart gpsd.service"
        guard file.isOpenToGroup, file.group != "root" else {
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            // A name with other characters has no place in a rule.
            let isPlain = !name.isEmpty && name.utf8.allSatisfy(ShellWords.isPlain)
            let rule =
                "permanently, in /etc/udev/rules.d/60-receiver.rules: KERNEL==\"\(name)\", GROUP=\"dialout\", MODE=\"0660\""
            let place = ShellWords.quoted(path)
            return .fault(
                .denied, found, why: "no group of users can read and write it",
                remedy: ["until it is plugged in again: sudo chgrp dialout \(place) && sudo chmod 660 \(place)"]
                    + (isPlain ? [rule, "then: sudo udevadm control --reload, and: sudo udevadm trigger"] : [])
                    + (account.groups.contains("dialout") ? [] : ["sudo usermod -aG dialout \(user)", restart]))
        }
        return .fault(
            .denied, found, why: "\(account.name) is not in the group \(file.group), which can",
            remedy: "sudo usermod -aG \(ShellWords.quoted(file.group)) \(user)", restart)
    }

    // MARK: Other programs

    /// Returns the obstacle to reading a device that a gpsd has open, or `nil` if no other program is visible there.
    package static func rival(at path: String, _ machine: any ExaminedMachine) -> Finding? {
        let holders = machine.holders(of: path)
        if let other = holders.first(where: { !$0.isGPSD }) { return held(path, by: other, machine) }
        // One of them is the gpsd that is asked.
        guard holders.count > 1 else { return nil }
        let numbers = holders.map { String($0.processID) }
        return .fault(
            .unavailable, "\(path) is read by \(EnglishList.and(holders.map(\.description))) at once",
            why: "another gpsd reads it, and each gets only a part of what the receiver sends",
            remedy: "see what they are: ps -o pid,user,args -p \(numbers.joined(separator: ","))", "end one of them")
    }

    /// Returns the obstacle of a device that a program has open which this user cannot see.
    package static func heldByOthers(_ path: String, _ machine: any ExaminedMachine) -> Finding {
        .fault(
            .unavailable, "\(path) is held by a program of another user",
            why: machine.daemons.isEmpty
                ? "two programs cannot share a serial line" : "a gpsd runs, and may have it open",
            remedy: (machine.daemons.isEmpty ? [] : ["read what that gpsd reads: locwatch"])
                + ["name the program: sudo fuser -v \(ShellWords.quoted(path))"])
    }

    private static func held(_ path: String, by holder: DeviceHolder, _ machine: any ExaminedMachine) -> Finding {
        func fault(_ why: String, _ remedy: String...) -> Finding {
            .fault(.unavailable, "\(path) is held by \(holder)", why: why, remedy: remedy)
        }
        if let owner = holder.owner {
            return fault(
                "two programs cannot share a serial line", "end it: kill \(owner.processID)",
                "or let one read for both: locwatch serve \(ShellWords.quoted(path)), and then locwatch")
        }
        switch holder.name {
        case "ModemManager": return ModemObstacle.finding(of: path, holder, machine)
        case "getty", "agetty", "login":
            let unit = ShellWords.quoted("serial-getty@\(machine.resolved(path).dropFirst("/dev/".count)).service")
            return fault("a login prompt runs on the line", "sudo systemctl disable --now \(unit)")
        case "brltty":
            return fault(
                "brltty mistakes many USB serial adapters for braille displays",
                "sudo systemctl disable --now brltty brltty-udev", "plug the receiver in again")
        case "gpsd":
            guard let port = holder.port else {
                return fault(
                    "another gpsd already reads it",
                    "see what it is: ps -o pid,user,args -p \(holder.processID)")
            }
            let place = port == GPSDArguments.usualPort ? "" : " localhost:\(port)"
            return fault("another gpsd already reads it", "use that one: locwatch\(place)")
        default: return fault("two programs cannot share a serial line", "end it: sudo kill \(holder.processID)")
        }
    }

    // MARK: AppArmor

    private static func confinement(of path: String, _ machine: any ExaminedMachine) -> Finding? {
        guard machine.text("/sys/module/apparmor/parameters/enabled")?.hasPrefix("Y") == true,
            let profile = machine.text(AppArmorProfile.path)
        else { return nil }
        let real = machine.resolved(path)
        let local = machine.text(AppArmorProfile.localPath) ?? ""
        guard !AppArmorProfile(profile + "\n" + local).allows(real) else { return nil }
        return .fault(
            .denied, "AppArmor's profile of gpsd does not allow \(real)",
            why: "under AppArmor, gpsd opens only the paths in its profile",
            remedy: "echo \(ShellWords.quoted("\(real) rw,")) | sudo tee -a \(AppArmorProfile.localPath)",
            "sudo apparmor_parser -r \(AppArmorProfile.path)")
    }
}
