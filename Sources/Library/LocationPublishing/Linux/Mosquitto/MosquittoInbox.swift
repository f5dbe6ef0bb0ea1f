import CMosquitto
import LocwatchPlatform

/// The news that libmosquitto reports during a call, copied, until the caller takes them.
///
/// Like its client it is used by one thread at a time.
final class MosquittoInbox {
    /// Something that the broker has sent, or that was sent to it.
    enum News: Equatable {
        /// The broker has answered the request for a connection.
        case answered(Int32)
        /// A message was acknowledged with a reason of MQTT 5, or written if it needs no acknowledgement.
        case acknowledged(Int32, reason: Int32)
        /// The broker has ended the connection with a reason of MQTT 5.
        case disconnected(reason: Int32)
        /// A subscription was answered, for each filter with the granted quality or a reason from 128 on.
        case subscribed(Int32, granted: [Int32])
        case received(MQTTMessage)
        /// A message has arrived that is larger than `sizeLimit`.
        case oversized(topic: String, size: Int)
    }

    /// The maximum number of bytes of a received message.
    static let sizeLimit = 1 << 20
    /// The maximum number of complaints that are kept; later ones are dropped.
    private static let complaintLimit = 8

    private var news: [News] = []
    /// The errors that libmosquitto has logged.
    private(set) var complaints: [String] = []
    /// OpenSSL's result of the verification of the certificate at the last complaint, or −1 if it is not known.
    ///
    /// After the call that fails the result is gone.
    private(set) var verification = -1
    /// The address of the server at the last complaint, if the connection to it was established.
    private(set) var peer: String?

    var isEmpty: Bool { news.isEmpty }

    func takeNews() -> [News] { exchange(&news, with: []) }

    fileprivate func append(_ item: News) { news.append(item) }

    fileprivate func append(_ message: mosquitto_message) {
        let topic = message.topic.map { String(cString: $0) } ?? ""
        let size = Int(message.payloadlen)
        guard size <= Self.sizeLimit else { return append(.oversized(topic: topic, size: size)) }
        let bytes = UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : max(0, size))
        // A broker must not send with a higher quality than was subscribed; if it does, libmosquitto has completed the exchange.
        let quality = MQTTMessage.Quality(rawValue: UInt8(clamping: message.qos)) ?? .atLeastOnce
        append(.received(MQTTMessage(topic, Array(bytes), quality: quality, isRetained: message.retain)))
    }

    fileprivate func complain(_ text: String, verification: Int, peer: String?) {
        if complaints.count < Self.complaintLimit { complaints.append(text) }
        self.verification = verification
        self.peer = peer
    }
}

extension MosquittoInbox {
    /// Returns the inbox that a client has as its context.
    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoInbox? {
        // The client owns its inbox and calls nothing after it is destroyed.
        context.map { Unmanaged<MosquittoInbox>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The functions with which a client fills its inbox.
    static func callbacks(logging: Bool) -> locwatch_mosquitto_callbacks {
        locwatch_mosquitto_callbacks(
            connected: { _, context, code, _, _ in MosquittoInbox.of(context)?.append(.answered(code)) },
            disconnected: { _, context, reason, _ in
                MosquittoInbox.of(context)?.append(.disconnected(reason: reason))
            },
            published: { _, context, identifier, reason, _ in
                MosquittoInbox.of(context)?.append(.acknowledged(identifier, reason: reason))
            },
            subscribed: { _, context, identifier, count, granted, _ in
                let codes = UnsafeBufferPointer(start: granted, count: granted == nil ? 0 : max(0, Int(count)))
                MosquittoInbox.of(context)?.append(.subscribed(identifier, granted: Array(codes)))
            },
            received: { _, context, message in
                guard let message else { return }
                MosquittoInbox.of(context)?.append(message.pointee)
            },
            logged: logging ? MosquittoInbox.note : nil)
    }

    private static let note:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Void = {
            client, context, level, text in
            guard level == MOSQ_LOG_ERR, let client, let text, let library = try? MosquittoLibrary.load() else {
                return
            }
            let verification = locwatch_mosquitto_verification(library.table, client)
            let peer = SocketAddress.peer(of: library.functions.mosquitto_socket(client))?.name
            MosquittoInbox.of(context)?.complain(String(cString: text), verification: verification, peer: peer)
        }
}
