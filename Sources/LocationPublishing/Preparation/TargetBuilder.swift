import LocationCore

/// The preparation of one target, which notes the options that the target uses.
struct TargetBuilder {
    private let word: TargetWord
    private let options: TargetOptions
    /// The options that the target uses.
    private(set) var used: Set<TargetOption> = []
    /// The host that a password or a token is sent to, if any.
    private(set) var passwordHost: String?
    private var warnings: [TargetWarning] = []
    private var encryption = MQTTSettings.Encryption()

    /// The most characters of the name of a client that every broker takes.
    private static let clientIDCount = 23
    private static let trackerIDCount = 20

    init(_ word: TargetWord, _ options: TargetOptions) {
        self.word = word
        self.options = options
    }

    /// Returns the target.
    mutating func build() throws(TargetError) -> PreparedTarget {
        let encoder: TargetEncoder
        do throws(TargetFault) {
            encoder = try self.encoder()
        } catch {
            throw TargetError(error, word)
        }
        var delivery = TargetDelivery.Options()
        delivery.backlog = options.sendsBacklog ? encoder.backlog : .none
        delivery.backlogRate = options.backlogRate
        delivery.skipsRejected = options.skipsRejected
        delivery.batchSize = encoder.batchSize
        delivery.seed = StableHash.of(options.hostName, word.fileName)
        var limits = HTTPLimits()
        // The success of another page, such as the sign-in of a network, would lose a record that a redirect keeps.
        limits.redirects = 0
        if let timeout = options.connectionTimeout { limits.connectionTimeout = timeout }
        if let timeout = options.requestTimeout { limits.timeout = timeout }
        return PreparedTarget(
            word: word, encoder: encoder, delivery: delivery, warnings: warnings, limits: limits, encryption: encryption
        )
    }

    private mutating func encoder() throws(TargetFault) -> TargetEncoder {
        switch word.kind {
        case .ownTracks(let broker, let device):
            return .mqtt(
                try settings(broker),
                OwnTracksTarget(device, trackerID: try trackerID(), started: options.started))
        case .json(let broker, let topic):
            return .mqtt(try settings(broker), JSONTarget(topic))
        case .homeAssistant(let broker):
            used.insert(.discoveryPrefix)
            return .mqtt(
                try settings(broker),
                HomeAssistantTarget(
                    name: try deviceName(), version: options.version, prefix: options.discoveryPrefix))
        case .ownTracksHTTP(let url, let login, let user, let device):
            return .http(try ownTracks(url, login: login, user: user, device: device))
        case .traccar(let url, let id):
            return .http(TraccarTarget(url, id: try deviceName(id), headers: try headers(for: url, login: nil)))
        case .overland(let url):
            return .http(try overland(url))
        case .webhook(let template, let login):
            return .http(try webhook(template, login: login))
        case .nmeaDatagrams(let host, let port):
            return .datagrams(host: host, port: port, NMEATarget())
        case .nmeaListener(let address, let port):
            return .listener(address: address, port: port, NMEATarget())
        case .cursorOnTarget(let host, let port):
            return .datagrams(
                host: host, port: port,
                CursorOnTargetTarget(callsign: try deviceName(), interval: options.positionInterval))
        }
    }
}

// MARK: Encoders

extension TargetBuilder {
    private mutating func ownTracks(
        _ url: HTTPURL, login: String?, user: String?, device: String?
    ) throws(TargetFault) -> OwnTracksHTTPTarget {
        guard let user else { throw .missingUser }
        let name = try deviceName(device)
        let trackerID = try trackerID()
        let headers = try headers(for: url, login: login)
        let named: OwnTracksDevice
        do throws(MQTTTopicFault) {
            named = try OwnTracksDevice(user: user, device: name)
        } catch {
            throw .deviceName(error)
        }
        do throws(HTTPError) {
            return try OwnTracksHTTPTarget(
                url, device: named, trackerID: trackerID, started: options.started, headers: headers)
        } catch {
            throw .request(error)
        }
    }

    private mutating func overland(_ url: HTTPURL) throws(TargetFault) -> OverlandTarget {
        let name = try deviceName()
        let headers = try headers(for: url, login: nil)
        if options.password != nil {
            used.insert(.password)
            notePassword(url.host, isEncrypted: url.scheme == .https)
        }
        do throws(HTTPError) {
            return try OverlandTarget(url, device: name, token: options.password, headers: headers)
        } catch {
            throw .request(error)
        }
    }

    private mutating func webhook(_ template: PublishTemplate, login: String?) throws(TargetFault) -> WebhookTarget {
        used.formUnion([.method, .body, .contentType])
        let url: HTTPURL
        do throws(HTTPError) { url = try WebhookTarget.sampleURL(template) } catch { throw .request(error) }
        var headers = try headers(for: url, login: login)
        do throws(HTTPError) {
            if let type = options.contentType { try headers.set("Content-Type", type) }
            return try WebhookTarget(template, body: options.body, method: options.method, headers: headers)
        } catch {
            throw .request(error)
        }
    }

    private mutating func settings(_ broker: BrokerAddress) throws(TargetFault) -> MQTTSettings {
        used.formUnion([.clientID, .keepAlive])
        let id = options.clientID ?? derivedClientID
        guard Self.isVisible(id, limit: Self.clientIDCount) else { throw .clientID }
        var settings = MQTTSettings(host: broker.host, port: broker.port, clientID: id)
        if broker.isEncrypted { settings.encryption = try useEncryption() }
        settings.user = broker.user
        if broker.user != nil, let password = options.password {
            used.insert(.password)
            settings.password = password
            notePassword(broker.host, isEncrypted: broker.isEncrypted)
        }
        if let keepAlive = options.keepAlive { settings.keepAlive = keepAlive }
        if let timeout = options.connectionTimeout { settings.connectionTimeout = timeout }
        return settings
    }

    /// A name that is the same in every run, and another one for each machine and each target.
    ///
    /// The specification obliges brokers to accept letters and digits only.
    private var derivedClientID: String {
        let letters = options.hostName.utf8.filter {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
        let hash = StableHash.digits(StableHash.of(options.hostName, word.fileName))
        return String(decoding: letters.prefix(Self.clientIDCount - hash.utf8.count), as: UTF8.self) + hash
    }

    private mutating func headers(for url: HTTPURL, login: String?) throws(TargetFault) -> HTTPHeaders {
        used.insert(.headers)
        if url.scheme == .https { encryption = try useEncryption() }
        var headers = options.headers ?? HTTPHeaders()
        if headers["Authorization"] != nil { notePassword(url.host, isEncrypted: url.scheme == .https) }
        guard let login else { return headers }
        let password = options.password
        if password != nil {
            used.insert(.password)
            notePassword(url.host, isEncrypted: url.scheme == .https)
        }
        do throws(HTTPError) {
            // A token is often the user, without a password.
            try headers.setBasicAuthorization(user: login, password: password ?? "")
        } catch {
            throw .request(error)
        }
        return headers
    }

    private mutating func useEncryption() throws(TargetFault) -> MQTTSettings.Encryption {
        used.formUnion([.authorityFile, .certificate, .key])
        guard options.keyFile == nil || options.certificateFile != nil else { throw .keyWithoutCertificate }
        var encryption = MQTTSettings.Encryption()
        encryption.authorityFile = options.authorityFile
        encryption.certificateFile = options.certificateFile
        encryption.keyFile = options.keyFile ?? options.certificateFile
        return encryption
    }

    // MARK: Names

    /// Returns the name in the target's word, or else the given one, or else that of the machine.
    private mutating func deviceName(_ named: String? = nil) throws(TargetFault) -> String {
        if let named { return named }
        used.insert(.deviceName)
        let name = options.deviceName ?? options.hostName
        guard !name.isEmpty else { throw .missingDeviceName }
        return name
    }

    private mutating func trackerID() throws(TargetFault) -> String? {
        used.insert(.trackerID)
        guard let id = options.trackerID else { return nil }
        guard Self.isVisible(id, limit: Self.trackerIDCount) else { throw .trackerID }
        return id
    }

    private static func isVisible(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && !text.unicodeScalars.contains(where: VisibleText.isHidden)
    }

    private mutating func notePassword(_ host: String, isEncrypted: Bool) {
        passwordHost = host.lowercased()
        // Nothing leaves the machine.
        let isLocal = ["localhost", "127.0.0.1", "::1"].contains(host.lowercased())
        let warning = TargetWarning.plainPassword(host: host)
        if !isEncrypted, !isLocal, !warnings.contains(warning) { warnings.append(warning) }
    }
}
