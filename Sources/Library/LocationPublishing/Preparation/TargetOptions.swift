public import LocationCore

/// The settings of targets beyond their words, from the command line, a configuration and files with secrets.
///
/// An option that is `nil` was not given. ``PreparedTarget/prepare(_:_:)`` refuses an option that no target can use.
public struct TargetOptions: Hashable, Sendable {
    // MARK: The machine

    /// The name of the machine, from which names are derived that were not given.
    public var hostName: String
    /// The folder of the user, which `~` names in paths.
    package var homeFolder: String?
    /// The version of the program.
    public var version: String
    /// The time at which the program was started, and its fences were defined.
    public var started: Timestamp

    // MARK: Names

    /// The name of the device for people; by default that of the machine.
    public var deviceName: String?

    // MARK: Secrets and certificates

    /// The password of the user in the target's word, or the token of an Overland server.
    public var password: String?
    /// The files of encrypted connections; without a key, the file with the certificate has it.
    public var encryption = MQTTSettings.Encryption()

    // MARK: Messages

    /// More headers of requests.
    public var headers = HTTPHeaders()
    /// The body of a webhook, or the text of a datagram or a line.
    public var body: RecordBody?
    /// The type of a webhook's body.
    public var contentType: String?
    /// The interval at which a silent connection to a broker is tested.
    public var keepAlive: Duration?
    /// The longest time between two positions, from which readers of Cursor on Target learn when one is stale.
    package var positionInterval = Duration.seconds(10)
    /// The time in which a connection must be established.
    public var connectionTimeout: Duration?
    /// The time in which the response to a request must have arrived.
    public var requestTimeout: Duration?

    // MARK: Delivery

    /// Whether a single record is sent, perhaps beside a program that sends others, and says nothing about those to come.
    package var isForOneRecord = false
    /// Whether only the way to the target is examined, for which no text is needed.
    package var isForProbe = false

    /// Creates the options of a machine without any other setting.
    public init(hostName: String, version: String, started: Timestamp) {
        self.hostName = hostName
        self.version = version
        self.started = started
    }

    /// The options that were given and that not every target can use.
    var given: Set<TargetOption> {
        let values: [TargetOption: Bool] = [
            .deviceName: deviceName != nil, .password: password != nil,
            .authorityFile: encryption.authorityFile != nil, .certificate: encryption.certificateFile != nil,
            .key: encryption.keyFile != nil, .headers: !headers.fields.isEmpty,
            .body: body != nil, .contentType: contentType != nil, .keepAlive: keepAlive != nil,
        ]
        return Set(values.filter(\.value).keys)
    }
}

extension TargetOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the machine, without any secret.
    public var description: String { "options of \(VisibleText.of(hostName))" }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// A mirror without secrets.
    public var customMirror: Mirror { Mirror(self, children: ["hostName": hostName]) }
}

/// An option that only some targets can use; the raw value is its meaning, with an article.
package enum TargetOption: String, Sendable, CaseIterable {
    case deviceName = "a name of the device"
    case password = "a password"
    case authorityFile = "a file with authorities"
    case certificate = "a client's certificate"
    case key = "a key of a certificate"
    case headers = "a header"
    case body = "a body"
    /// The type of a webhook's body.
    case contentType = "a type of the body"
    case keepAlive = "an interval of keep-alive"
}
