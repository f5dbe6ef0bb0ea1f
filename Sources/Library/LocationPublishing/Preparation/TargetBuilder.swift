import LocationCore

/// The preparation of one target, which notes the options that the target uses.
struct TargetBuilder {
    private let word: TargetWord
    let options: TargetOptions
    private(set) var used: Set<TargetOption> = []
    /// The host that a password or a token is sent to, if any.
    private(set) var passwordHost: String?
    private var warnings: [TargetWarning] = []
    private var encryption = MQTTSettings.Encryption()

    /// The maximum number of characters of the name of a client that every broker takes.
    private static let clientIDCount = 23

    init(_ word: TargetWord, _ options: TargetOptions) {
        self.word = word
        self.options = options
    }

    mutating func build() throws(PublishError) -> PreparedTarget {
        let encoder: TargetEncoder
        do throws(PublishError) {
            encoder = try word.prepare(&self)
        } catch {
            throw PublishError(error, word)
        }
        let delivery = TargetDelivery.Options(
            backlog: word.backlog ?? encoder.backlog, batchSize: encoder.batchSize,
            seed: StableHash.of([options.hostName, word.fileName]))
        var limits = HTTPLimits()
        if let timeout = options.connectionTimeout { limits.connectionTimeout = timeout }
        if let timeout = options.requestTimeout { limits.timeout = timeout }
        return PreparedTarget(
            word: word, encoder: encoder, delivery: delivery, warnings: warnings, limits: limits, encryption: encryption
        )
    }
}

// MARK: Parts of targets

extension TargetBuilder {
    /// Notes that the target uses options, and returns all options.
    @discardableResult mutating func use(_ options: TargetOption...) -> TargetOptions {
        used.formUnion(options)
        return self.options
    }

    /// Returns a path with the user's folder in the place of `~`.
    func path(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = options.homeFolder else { return path }
        return home + path.dropFirst()
    }

    /// Returns a part of an encoder, or throws the reason for which a request cannot be made of the options.
    func request<Part>(_ make: () throws(HTTPError) -> Part) throws(PublishError) -> Part {
        do throws(HTTPError) { return try make() } catch { throw .request(error) }
    }

    /// Returns the settings of the connection to a broker, whose port is that of MQTT, or of MQTT over TLS, without another.
    mutating func broker(_ parts: TargetWordParts) throws(PublishError) -> MQTTSettings {
        use(.keepAlive)
        let id = parts.value(of: .client) ?? derivedClientID
        var settings = MQTTSettings(
            host: parts.host, port: parts.port ?? (parts.isEncrypted ? 8883 : 1883), clientID: id)
        if parts.isEncrypted { settings.encryption = try useEncryption() }
        settings.user = parts.user
        if parts.user != nil { settings.password = password(for: parts.host, isEncrypted: parts.isEncrypted) }
        if let keepAlive = options.keepAlive { settings.keepAlive = keepAlive }
        if let timeout = options.connectionTimeout { settings.connectionTimeout = timeout }
        return settings
    }

    /// A name that is the same in every run, and another one for each machine, each target and each name of a device.
    ///
    /// A single record has a name of its own too, because a broker ends an earlier connection with the same name.
    ///
    /// The specification obliges brokers to accept letters and digits only.
    private var derivedClientID: String {
        let letters = options.hostName.utf8.filter(\.isLetterOrDigit)
        let names =
            [options.hostName, word.fileName] + (options.deviceName.map { [$0] } ?? [])
            + (options.isForOneRecord ? ["once"] : [])
        let hash = StableHash.of(names).hexadecimal
        return String(decoding: letters.prefix(Self.clientIDCount - hash.utf8.count), as: UTF8.self) + hash
    }

    /// Returns the headers of requests to an address, with those that sign in `login`, if any.
    mutating func headers(for url: HTTPURL, login: String? = nil) throws(PublishError) -> HTTPHeaders {
        use(.headers)
        if url.scheme == .https { encryption = try useEncryption() }
        var headers = options.headers
        if headers["Authorization"] != nil { notePassword(url.host, isEncrypted: url.scheme == .https) }
        guard let login else { return headers }
        // A token is often the user, without a password.
        let password = password(for: url.host, isEncrypted: url.scheme == .https) ?? ""
        return try request { () throws(HTTPError) in
            try headers.setBasicAuthorization(user: login, password: password)
            return headers
        }
    }

    /// Returns the password or the token that is sent to a host, if one was given.
    mutating func password(for host: String, isEncrypted: Bool) -> String? {
        guard let password = options.password else { return nil }
        use(.password)
        notePassword(host, isEncrypted: isEncrypted)
        return password
    }

    private mutating func useEncryption() throws(PublishError) -> MQTTSettings.Encryption {
        use(.authorityFile, .certificate, .key)
        var encryption = options.encryption
        encryption.authorityFile = word.encryption.authorityFile ?? encryption.authorityFile
        if let file = word.encryption.certificateFile {
            (encryption.certificateFile, encryption.keyFile) = (file, word.encryption.keyFile)
        }
        guard encryption.keyFile == nil || encryption.certificateFile != nil else { throw .keyWithoutCertificate }
        encryption.keyFile = encryption.keyFile ?? encryption.certificateFile
        return encryption
    }

    // MARK: Names

    /// Returns the name in the target's word, or else the given one, or else that of the machine.
    mutating func deviceName(_ named: String? = nil) throws(PublishError) -> String {
        if let named { return named }
        use(.deviceName)
        let name = options.deviceName ?? options.hostName
        guard !name.isEmpty else { throw .missingDeviceName }
        return name
    }

    private mutating func notePassword(_ host: String, isEncrypted: Bool) {
        passwordHost = host.lowercased()
        // Nothing leaves the machine.
        let isLocal = ["localhost", "127.0.0.1", "::1"].contains(host.lowercased())
        let warning = TargetWarning.plainPassword(host: host)
        if !isEncrypted, !isLocal, !warnings.contains(warning) { warnings.append(warning) }
    }
}
