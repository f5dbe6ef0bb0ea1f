import Glibc
import LocwatchPlatform

/// The password for targets and brokers, which is never a part of the command line.
package enum PublishSecrets {
    package static let variable = "LOCWATCH_PASSWORD"
    /// The variable with the folder of systemd's credentials.
    private static let credentials = "CREDENTIALS_DIRECTORY"
    private static let credential = "password"

    /// Returns the password from the file, else from systemd's credential, else from the variable; `nil` without any.
    package static func password(_ file: String?, _ environment: [String: String]) throws(UsageError) -> String? {
        let folder = environment[credentials].flatMap { $0.isEmpty ? nil : $0 }
        if let file { return try SecretFile.required(file, credentials: folder) }
        if let folder, access("\(folder)/\(credential)", F_OK) == 0 {
            // A service without a password has an empty credential.
            return try SecretFile.read(credential, credentials: folder)
        }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}
