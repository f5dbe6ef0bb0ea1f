/// A version of the protocol between clients and brokers.
package enum MQTTVersion: UInt8, Hashable, Sendable, CaseIterable {
    /// MQTT 3.1.1, in which a broker acknowledges a message also if it drops it.
    case version3 = 4
    /// MQTT 5, in which an acknowledgement says whether the broker has accepted the message.
    case version5 = 5
}

extension MQTTVersion: CustomStringConvertible {
    package var description: String {
        switch self {
        case .version3: "MQTT 3.1.1"
        case .version5: "MQTT 5"
        }
    }
}
