import Glibc
import LocationPublishing
import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The service of the package that publishes by a configuration in `/etc/locwatch`, as its unit runs it.
struct PublishService {
    /// The user that systemd makes for all instances of the unit while they run.
    private static let user = "locwatch-publish"
    /// The folders that the unit hides from the service.
    private static let hidden = ["/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"]

    private let folder: String
    private let name: String

    /// Finds the service of a configuration, if there is one.
    init?(configuration: String?, folder: String = "/etc/locwatch") {
        guard let configuration else { return nil }
        let path = WrittenFolder.resolved(configuration) ?? configuration
        guard path.hasPrefix(folder + "/"), path.hasSuffix(".conf") else { return nil }
        name = String(path.dropFirst(folder.count + 1).dropLast(".conf".count))
        self.folder = folder
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
    }

    var rows: [(term: String, meaning: String)] {
        [("service", "locwatch-publish@\(name.printable), as the user \(Self.user), which exists while it runs")]
    }

    private var password: String { "\(folder)/\(name).password" }

    func completed(_ settings: Settings) -> Settings {
        var settings = settings
        settings.publishing.queueFolder = "/var/lib/locwatch-publish/\(name)/queue"
        // A name without a slash is that of the credential.
        let file = settings.publishing.passwordFile
        if file == "password" || file == nil && access(password, F_OK) == 0 {
            settings.publishing.passwordFile = password
        }
        return settings
    }

    func environment(_ environment: [String: String]) -> [String: String] {
        environment.filter { $0.key != SecretFile.passwordVariable }
    }

    func warnings(_ settings: PublishSettings) -> [String] {
        var warnings = settings.targets.flatMap(\.encryption.files).compactMap(obstacle)
        // The program accepts only a file that its own user alone can read, and the user of the service owns none.
        if let file = settings.passwordFile, file != password {
            warnings.append("the service cannot read \(file): put the password into \(password)")
        }
        return warnings
    }

    private func obstacle(to file: String) -> String? {
        let subject = "the service cannot read \(file)"
        guard file.hasPrefix("/") else { return "\(subject): its path must begin with a slash" }
        if let place = Self.hidden.first(where: file.hasPrefix) { return "\(subject): the unit hides \(place)" }
        var status = stat()
        guard stat(file, &status) == 0, status.st_mode & 0o004 == 0 else { return nil }
        return "\(subject): only its owner can"
    }
}
