package import LocationPublishing

/// A client as it introduces itself to a broker.
package struct BrokerClient: Hashable, Sendable {
    /// The name of the client.
    package var clientID: String
    /// The version of the protocol that the client speaks.
    package var version = MQTTVersion.version3
    /// Whether the client wants a session without a past.
    package var isCleanSession = true
    /// The interval at which the client promises a sign of life, in seconds.
    package var keepAlive: UInt16 = 60
    /// The message that is published if the connection ends without a goodbye.
    package var will: MQTTMessage?
    /// The user, if the client signs in.
    package var user: String?
    /// The password of the user, which no description contains.
    package var password: String?

    /// Creates a client without a user.
    package init(clientID: String) {
        self.clientID = clientID
    }
}

extension BrokerClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the client and its user.
    package var description: String { user.map { "\(clientID), user \($0)" } ?? clientID }

    /// The name of the client and its user.
    package var debugDescription: String { description }

    /// A mirror without the password, which a test would print when it fails.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension BrokerClient {
    /// The bytes of the packet with which the client connects, without its header.
    var bytes: [UInt8] {
        var flags: UInt8 = isCleanSession ? 2 : 0
        if let will { flags |= 4 | will.quality.rawValue << 3 | (will.isRetained ? 0x20 : 0) }
        if user != nil { flags |= 0x80 }
        if password != nil { flags |= 0x40 }
        let properties: [UInt8] = version == .version5 ? [0] : []
        var bytes = MQTTPacket.text("MQTT") + [version.rawValue, flags] + MQTTPacket.number(keepAlive)
        bytes += properties + MQTTPacket.text(clientID)
        if let will { bytes += properties + MQTTPacket.text(will.topic) + MQTTPacket.field(will.payload) }
        if let user { bytes += MQTTPacket.text(user) }
        if let password { bytes += MQTTPacket.text(password) }
        return bytes
    }
}
