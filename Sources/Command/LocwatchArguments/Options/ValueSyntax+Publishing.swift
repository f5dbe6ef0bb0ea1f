import LocationCore
package import LocationPublishing
import LocwatchTerminal

extension ValueSyntax where Value == TargetWord {
    package static let target = ValueSyntax("TARGET", completion: .words(TargetScheme.all.map(\.prefix))) {
        text throws(UsageError) in
        do throws(PublishError) { return try TargetWord(text) } catch { throw UsageError(secretValue: error.message) }
    }
}

extension PublishError {
    /// The description, with the scheme that is meant, if one is similar.
    package var message: String {
        guard case .unknownScheme(let name) = cause,
            let meant = Spelling.nearest(to: name, among: TargetScheme.all.map(\.name))
        else { return description }
        return "\(self); did you mean \(meant)?"
    }
}

extension ValueSyntax where Value == String? {
    /// The syntax of the folder of a queue, or `nil` for a queue in memory.
    package static let queuePlace = ValueSyntax(
        "DIR|memory", completion: .file, allowed: "the path of a folder, or memory"
    ) { $0.isEmpty ? nil : .some($0 == "memory" ? nil : $0) }
}

package enum QueueLimit: Sendable {
    case size(Int)
    case age(Duration)
}

extension ValueSyntax where Value == QueueLimit {
    package static let queueLimit = ValueSyntax(
        "SIZE|AGE", allowed: "a size such as 64MiB (at least 1MB), or an age such as 7d (at least 60s)"
    ) { text in
        if let size = try? ValueSyntax<Int>.byteCount.read(text) { return .size(size) }
        // A bare number is ambiguous.
        guard text.last?.isLetter == true, let age = DurationText.read(text), age >= .seconds(60) else { return nil }
        return .age(age)
    }
}

package struct CertificateFiles: Sendable {
    package let certificate: String
    /// The file of the key, if the certificate's does not have it.
    package let key: String?
}

extension ValueSyntax where Value == CertificateFiles {
    package static let certificate = ValueSyntax(
        "FILE[,KEY]", completion: .file, allowed: "the path of a file, or of two separated by a comma"
    ) { text in
        let files = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard files.count <= 2, files.allSatisfy({ !$0.isEmpty }) else { return nil }
        return CertificateFiles(certificate: files[0], key: files.count == 2 ? files[1] : nil)
    }
}

extension ValueSyntax where Value == String {
    package static let name = ValueSyntax("NAME", allowed: "a name") { text in
        let isName = 1...100 ~= text.utf8.count && !text.unicodeScalars.contains(where: VisibleText.isHidden)
        return isName ? text : nil
    }
}

extension ValueSyntax where Value == PublishTemplate {
    package static let publishTemplate = ValueSyntax("TEMPLATE") { text throws(UsageError) in
        do throws(InvalidValue) { return try PublishTemplate(text) } catch {
            throw UsageError(
                secretValue: "\(error)" + (error.unknownName == nil ? "" : ", as 'locwatch help targets' lists them"))
        }
    }
}

extension ValueSyntax where Value == RecordBody {
    package static let recordBody = ValueSyntax<PublishTemplate>.publishTemplate.map { RecordBody.template($0) }
        .or("influx", .influx)
}

extension ValueSyntax where Value == HTTPHeaders.Field {
    package static let header = ValueSyntax("NAME:VALUE") { text throws(UsageError) in
        let reason = "expected a name, a colon and a value, as in 'Authorization: Bearer TOKEN', without line breaks"
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var headers = HTTPHeaders()
        guard parts.count == 2, (try? headers.add(String(parts[0]), String(parts[1].drop { $0 == " " }))) != nil else {
            throw UsageError(secretValue: reason)
        }
        return headers.fields[0]
    }
}
