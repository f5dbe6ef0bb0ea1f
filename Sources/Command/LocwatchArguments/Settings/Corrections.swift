import LocationCore
package import LocationGPSD
import GPSDProtocol
import LocwatchPlatform

extension ValueSyntax where Value == CorrectionsSource {
    /// A caster, a server of corrections, or the path of a named pipe.
    package static let corrections = ValueSyntax("URL", completion: .words(["ntrip://", "tcp://"])) {
        text throws(UsageError) in
        for scheme in [StreamAddress.Scheme.ntrip, .tcp] {
            let prefix = "\(scheme.rawValue)://"
            guard text.hasPrefix(prefix) else { continue }
            let word: StreamWord
            do throws(UsageError) {
                word = try StreamWord(String(text.dropFirst(prefix.count)), scheme: scheme)
            } catch {
                throw UsageError(secretValue: error.message)
            }
            guard scheme == .ntrip || word.hasPort else {
                throw UsageError(secretValue: "the port is missing, as in tcp://base.example:5015")
            }
            return CorrectionsSource(word.address)
        }
        guard text.utf8.contains(UInt8(ascii: "/")), !text.containsBytes(of: "://"), !text.utf8.contains(0) else {
            throw UsageError(
                secretValue: "expected a caster, as in ntrip://anna@caster.example:2101/MOUNT, a server, as in "
                    + "tcp://base.example:5015, or the path of a named pipe, as in ./rtcm")
        }
        return CorrectionsSource(pipe: text)
    }
}

extension Settings {
    /// Returns the password of a user at a broker or a caster, from the file of the options if there is one.
    func connectionPassword() throws(LocationError) -> String? {
        guard let file = publishing.passwordFile else { return reading.password }
        let folder = Environment.value(of: "CREDENTIALS_DIRECTORY")
        do throws(UsageError) {
            return try SecretFile.required(file, credentials: folder)
        } catch {
            let path = SecretFile.path(file, credentials: folder)
            throw error.failure.map { .unreadable(path, $0.code) } ?? .unreadable(path: file, cause: error.message)
        }
    }

    /// Returns corrections with the password of their user, if any.
    func withPassword(_ corrections: CorrectionsSource?) throws(LocationError) -> CorrectionsSource? {
        guard var corrections else { return nil }
        if corrections.user != nil { corrections.password = try connectionPassword() }
        return corrections
    }
}
