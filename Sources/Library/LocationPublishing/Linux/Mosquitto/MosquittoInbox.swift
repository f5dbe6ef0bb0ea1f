import CMosquitto
import LocwatchPlatform

/// The events that libmosquitto reports during a call, copied, until the caller takes them.
///
/// Like its client it is used by one thread at a time.
final class MosquittoInbox {
    /// The maximum number of bytes of a received message.
    static let sizeLimit = 1 << 20
    /// The maximum number of complaints that are kept; later ones are dropped.
    private static let complaintLimit = 8

    private var events: [MosquittoConnection.Event] = []
    /// The number of bytes of the messages among the events, with their topics.
    private(set) var size = 0
    /// The errors that libmosquitto has logged.
    private(set) var complaints: [String] = []
    /// OpenSSL's result of the verification of the certificate at the last complaint, or −1 if it is not known.
    ///
    /// After the call that fails the result is gone.
    private(set) var verification = -1
    /// The address of the server at the last complaint, if the connection to it was established.
    private(set) var peer: String?

    var isEmpty: Bool { events.isEmpty }

    func takeEvents() -> [MosquittoConnection.Event] {
        size = 0
        return exchange(&events, with: [])
    }

    fileprivate func append(_ event: MosquittoConnection.Event) { events.append(event) }

    /// Appends the answer to the request for a connection; its codes are those of the version that is spoken.
    fileprivate func append(answer code: Int32) {
        guard code != 0 else { return append(.opened) }
        let reason = UInt8(clamping: code)
        let refusal = MQTTRefusal(reason: reason) ?? MQTTRefusal(version3: reason)
        append(.failed(refusal.map { .refused($0) } ?? .notABroker))
    }

    fileprivate func append(_ message: mosquitto_message) {
        let topic = message.topic.map { String(cString: $0) } ?? ""
        let size = Int(message.payloadlen)
        self.size += topic.utf8.count
        guard size <= Self.sizeLimit else { return append(.oversized(topic: topic, size: size)) }
        let bytes = UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : max(0, size))
        self.size += bytes.count
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
            connected: { _, context, code, _, _ in MosquittoInbox.of(context)?.append(answer: code) },
            disconnected: { _, context, reason, _ in
                // Without a reason of the broker, the call that has ended the connection says why.
                guard let refusal = MQTTRefusal(reason: UInt8(clamping: reason)) else { return }
                MosquittoInbox.of(context)?.append(.failed(.disconnected(refusal)))
            },
            published: { _, context, number, reason, _ in
                let refusal = MQTTRefusal(reason: UInt8(clamping: reason))
                MosquittoInbox.of(context)?.append(refusal.map { .rejected(number, $0) } ?? .acknowledged(number))
            },
            subscribed: { _, context, number, count, granted, _ in
                // The granted quality of each filter, or a reason from 128 on.
                let codes = UnsafeBufferPointer(start: granted, count: granted == nil ? 0 : max(0, Int(count)))
                let refusals = codes.map { MQTTRefusal(reason: UInt8(clamping: $0)) }
                MosquittoInbox.of(context)?.append(.subscribed(number, refusals: refusals))
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
