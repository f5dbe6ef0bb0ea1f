/// The encoder of a target's records, with the address that they are sent to.
package enum TargetEncoder: Sendable {
    case mqtt(MQTTSettings, any MQTTTarget)
    case http(HTTPTarget)
    /// A host, a broadcast address or a multicast address that takes datagrams.
    case datagrams(host: String, port: UInt16, any StreamTarget)
    /// A program that accepts connections; with a queue, what it could not take is sent later.
    case connection(host: String, port: UInt16, any StreamTarget, keepsQueue: Bool)
    /// Programs that connect to an address of this machine; `nil` stands for the loopback addresses.
    case listener(address: String?, port: UInt16, any StreamTarget)

    /// Programs that open a path of this machine.
    case path(String, EncoderEntry, mode: UInt32, any StreamTarget)

    /// A kind of entry at a path.
    package enum EncoderEntry: Hashable, Sendable {
        /// A link to a pseudo terminal.
        case terminal
        case pipe
        /// A socket, which accepts connections.
        case socket
        /// A file, whose content is that of the last datagram.
        case file
    }

    /// The host and the port of the broker, if the target has one.
    var broker: String? {
        guard case .mqtt(let settings, _) = self else { return nil }
        return "\(settings.host.lowercased()) \(settings.port)"
    }

    /// The records that the target can take after an outage.
    var backlog: BacklogOrder {
        switch self {
        case .mqtt(_, let target): target.backlog
        case .http(let target): target.backlog
        case .connection(_, _, _, let keepsQueue): keepsQueue ? .ordered : .none
        case .datagrams, .listener, .path: .none
        }
    }

    /// Whether the target exists only while its process runs, so that a program can read it only then.
    package var needsReader: Bool {
        switch self {
        case .mqtt, .http, .datagrams, .connection: false
        case .listener, .path: true
        }
    }

    /// Whether the target takes later what it could not take, so that records are kept for it from one run to the next.
    package var needsQueue: Bool {
        switch self {
        case .mqtt, .http: true
        case .connection(_, _, _, let keepsQueue): keepsQueue
        case .datagrams, .listener, .path: false
        }
    }

    /// Whether the encoder uses the dilutions of precision and the list of satellites of a record.
    var needsSky: Bool {
        switch self {
        case .mqtt, .http: false
        case .datagrams(_, _, let target), .listener(_, _, let target), .path(_, _, _, let target),
            .connection(_, _, let target, _):
            target.needsSky
        }
    }

    /// The largest number of records that are handed over at once.
    var batchSize: Int {
        switch self {
        case .http(let target): target.batchSize
        case .mqtt, .datagrams, .connection, .listener, .path: 100
        }
    }
}

/// A target with everything that is needed to send records to it.
public struct PreparedTarget: Sendable {
    package let word: TargetWord
    package let encoder: TargetEncoder
    package var delivery: TargetDelivery.Options
    package internal(set) var warnings: [TargetWarning]
    package let limits: HTTPLimits
    package let encryption: MQTTSettings.Encryption

    /// Whether the target uses the dilutions of precision and the list of satellites of a record.
    package var needsSky: Bool { encoder.needsSky }

    /// Prepares targets that share their options.
    ///
    /// A target is named by a word as in the command `locwatch publish`, such as `mqtts://anna@broker.example`.
    ///
    /// - Throws: A `PublishError` with a message for people if a word is not a target, if an option is used by no target, if
    ///   a name is missing or impossible, or if two targets would disturb each other.
    public static func prepare(_ targets: [String], _ options: TargetOptions) throws(PublishError) -> [PreparedTarget] {
        try prepare(targets.map { (target) throws(PublishError) in try TargetWord(target) }, options)
    }

    /// Prepares targets that share their options.
    package static func prepare(
        _ words: [TargetWord], _ options: TargetOptions
    ) throws(PublishError) -> [PreparedTarget] {
        var prepared: [PreparedTarget] = []
        var used: Set<TargetOption> = []
        var clients: Set<[String]> = []
        var passwordHosts: [String] = []
        for word in words {
            guard !prepared.contains(where: { $0.word.fileName == word.fileName }) else {
                throw PublishError(.duplicate, word)
            }
            var builder = TargetBuilder(word, options)
            let target = try builder.build()
            if case .mqtt(let settings, _) = target.encoder {
                let client = [settings.host.lowercased(), String(settings.port), settings.clientID]
                guard clients.insert(client).inserted else {
                    throw PublishError(.sharedClientID(settings.clientID), word)
                }
            }
            if options.password != nil, let host = builder.passwordHost, !passwordHosts.contains(host) {
                passwordHosts.append(host)
            }
            used.formUnion(builder.used)
            prepared.append(target)
        }
        let given = options.given
        if let unused = TargetOption.allCases.first(where: { given.contains($0) && !used.contains($0) }) {
            // A password is the only option whose use depends on a part of the word that is easily forgotten.
            let isLoginMissing = unused == .password && prepared.contains { $0.word.scheme.access == .user }
            throw PublishError(
                isLoginMissing ? .passwordWithoutUser : .unusedOption(unused),
                prepared.count == 1 ? prepared[0].word : nil)
        }
        if passwordHosts.count > 1 { prepared[0].warnings.append(.sharedPassword(hosts: passwordHosts)) }
        return prepared
    }
}
