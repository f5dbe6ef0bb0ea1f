import Foundation

/// A certificate and its key, as files in PEM form.
package struct Certificate: Sendable {
    package var file: String
    package var key: String

    package init(file: String, key: String) { (self.file, self.key) = (file, key) }
}

/// A certificate authority, made by openssl in a folder that is gone with the value.
package final class Authority: Sendable {
    private let folder: Scratch

    package var file: String { folder.path("authority.pem") }

    package init() throws {
        folder = try Scratch()
        try openssl("req -x509 \(Self.newKey) -keyout authority.key -out authority.pem -subj /CN=Authority -days 2")
    }

    private static let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

    /// Returns a new certificate for a name, such as `IP:127.0.0.1`, that is valid for some days from now.
    package func sign(_ name: String = "IP:127.0.0.1", days: Int = 1) throws -> Certificate {
        let word = UUID().uuidString
        try openssl(
            "req \(Self.newKey) -keyout \(word).key -out \(word).csr -subj /CN=test -addext subjectAltName=\(name)")
        try openssl(
            "x509 -req -in \(word).csr -CA authority.pem -CAkey authority.key -days \(days) -copy_extensions copy -out \(word).pem"
        )
        return Certificate(file: folder.path(word + ".pem"), key: folder.path(word + ".key"))
    }

    private func openssl(_ arguments: String) throws {
        try run(
            "/usr/bin/openssl", package: "openssl", arguments.split(separator: " ").map(String.init), in: folder.url)
    }
}
