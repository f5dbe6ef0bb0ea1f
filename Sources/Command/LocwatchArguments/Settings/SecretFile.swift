import Glibc
import LocwatchPlatform
import LocwatchTerminal

/// A file with a password, which only its owner can read.
package enum SecretFile {
    /// The variable with the password for targets and brokers, which is never a part of the command line.
    package static let passwordVariable = "LOCWATCH_PASSWORD"
    private static let sizeLimit = 4096

    /// Returns a secret from a file, else from systemd's credential, else from a variable; `nil` without any.
    package static func find(
        _ file: String?, credential: String, variable: String, _ environment: [String: String]
    ) throws(UsageError) -> String? {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let folder = value("CREDENTIALS_DIRECTORY")
        if let file { return try required(file, credentials: folder) }
        if let folder, access("\(folder)/\(credential)", F_OK) == 0 {
            // A service without a secret has an empty credential.
            return try read(credential, credentials: folder)
        }
        return value(variable)
    }

    /// Returns the password in a file, or `nil` if it is empty; a line break at its end does not belong to it.
    ///
    /// No error has any of the content.
    ///
    /// - Parameters:
    ///   - path: The path of the file; a name without a slash is that of a credential, if there are any.
    ///   - credentials: The folder in which systemd keeps the credentials of a service, if any. Only the service can enter
    ///     it, and the mode of the files shows the rights of their access control list instead of the owner's.
    package static func read(_ path: String, credentials: String?) throws(UsageError) -> String? {
        let folder = credentials.flatMap { $0.isEmpty ? nil : $0 + "/" }
        let path = Self.path(path, credentials: credentials)
        let isCredential = folder.map { path.hasPrefix($0) } ?? false
        let file: InputFile
        do throws(SystemFailure) { file = try InputFile(path) } catch { throw UsageError(unreadable: path, error) }
        guard isCredential || file.isPrivate else {
            throw UsageError(noInput: "other users can read \(path): run chmod 600 on it")
        }
        guard isCredential || !file.isReplaceable else {
            throw UsageError(noInput: "other users can replace \(path): only its owner may write in its folder")
        }
        var bytes: [UInt8]
        do throws(SystemFailure) { bytes = try file.read(limit: sizeLimit + 1) } catch {
            throw UsageError(unreadable: path, error)
        }
        guard bytes.count <= sizeLimit else {
            throw UsageError(noInput: "\(path) has more than \(sizeLimit) bytes: it is not a password")
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { return nil }
        guard !bytes.contains(where: { [0x0A, 0x0D].contains($0) }) else {
            throw UsageError(noInput: "\(path) has more than one line: it is not a password")
        }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(noInput: "\(path) is not text in UTF-8")
        }
        return text
    }

    /// Returns the password in a file that must have one; see `read(_:credentials:)`.
    package static func required(_ path: String, credentials: String?) throws(UsageError) -> String {
        guard let text = try read(path, credentials: credentials) else {
            throw UsageError(noInput: "\(Self.path(path, credentials: credentials)) is empty")
        }
        return text
    }

    /// Returns the path of a file, which is that of a credential if it has no slash and there are any.
    package static func path(_ path: String, credentials: String?) -> String {
        guard let credentials, !credentials.isEmpty, !path.utf8.contains(UInt8(ascii: "/")) else { return path }
        return "\(credentials)/\(path)"
    }
}
