import CMosquitto
import Glibc
import LocwatchPlatform

/// One client of libmosquitto for one attempt to connect, without a thread of its own.
///
/// `@unchecked`: it is used by one thread at a time, first by the one that connects and then by that of the connection.
final class MosquittoClient: @unchecked Sendable {
    /// The result of a call: libmosquitto's code and the errno.
    struct Result: Equatable {
        var code: Int32
        var error: Int32

        var isSuccess: Bool { code == MOSQ_ERR_SUCCESS.rawValue }
        /// Whether the call has done all that is possible before the descriptor is ready again.
        var isDrained: Bool { error == EAGAIN }
    }

    let inbox = MosquittoInbox()
    private let library: MosquittoLibrary
    private let handle: OpaquePointer
    /// The count of the bytes that were read before the packet that is being read.
    private var bytesBeforePacket: UInt64 = 0

    /// Creates a client; the files of the encryption are read when it connects.
    init(_ library: MosquittoLibrary, _ settings: MQTTSettings, _ version: MQTTVersion) throws(MQTTError) {
        self.library = library
        var callbacks = MosquittoInbox.callbacks(logging: settings.encryption != nil)
        let context = Unmanaged.passUnretained(inbox).toOpaque()
        guard
            let handle = locwatch_mosquitto_new(
                library.table, settings.clientID, Int32(version.rawValue), context, &callbacks)
        else {
            throw .other(cause: "libmosquitto does not accept the client \(settings.clientID)")
        }
        self.handle = handle
        try apply(settings)
    }

    deinit { locwatch_mosquitto_destroy(library.table, handle) }

    private func apply(_ settings: MQTTSettings) throws(MQTTError) {
        if let user = settings.user {
            try require(library.functions.mosquitto_username_pw_set(handle, user, settings.password), "set the user")
        }
        if let will = settings.will {
            try require(
                library.functions.mosquitto_will_set(
                    handle, will.topic, Int32(clamping: will.payload.count), will.payload,
                    Int32(will.quality.rawValue), will.isRetained),
                "set the will")
        }
        guard let encryption = settings.encryption else { return }
        if let cause = Self.obstacle(encryption.authorityFile) {
            throw .tls(host: settings.host, .authorityFile(cause: cause))
        }
        if let cause = Self.obstacle(encryption.certificateFile) ?? Self.obstacle(encryption.keyFile) {
            throw .tls(host: settings.host, .clientCertificate(cause: cause))
        }
        // A file can hold both the certificate and its key.
        let keyFile = encryption.keyFile ?? encryption.certificateFile
        try require(
            locwatch_mosquitto_encrypt(
                library.table, handle, encryption.authorityFile, encryption.certificateFile, keyFile),
            "set up the encryption")
    }

    /// Returns the reason for which a file cannot be read, if any.
    private static func obstacle(_ path: String?) -> String? {
        guard let path, access(path, R_OK) != 0 else { return nil }
        return "\(path): \(SystemFailure("read", code: errno).reason)"
    }

    private func require(_ code: Int32, _ attempt: String) throws(MQTTError) {
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            throw .other(cause: "cannot \(attempt): \(library.text(of: code))")
        }
    }

    // MARK: Connection

    /// Calls a function that stores its errno.
    private func call(
        _ function: (UnsafePointer<locwatch_mosquitto>, OpaquePointer, UnsafeMutablePointer<Int32>) -> Int32
    ) -> Result {
        var result = Result(code: 0, error: 0)
        result.code = function(library.table, handle, &result.error)
        return result
    }

    /// Resolves the host, which can block for long, and begins to connect to its first address of a family.
    func connect(_ settings: MQTTSettings, over family: AddressFamily) -> Result {
        let keepAlive = Int32(clamping: min(max(settings.keepAlive.components.seconds, 5), 65_535))
        return call {
            locwatch_mosquitto_connect($0, $1, settings.host, Int32(settings.port), keepAlive, family.rawValue, $2)
        }
    }

    /// The descriptor of the connection, or −1.
    var descriptor: Int32 { library.functions.mosquitto_socket(handle) }

    /// The events of poll(2) for which the client waits.
    var events: Int16 {
        Int16(library.functions.mosquitto_want_write(handle) ? POLLIN | POLLOUT : POLLIN)
    }

    /// The first byte of the connection if it has arrived and was not read yet; it is encrypted if the connection is.
    var firstByte: UInt8? {
        guard locwatch_mosquitto_bytes_read(descriptor) == 0 else { return nil }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 1 ? byte : nil
    }

    /// Reads what has arrived, of which one call takes few packets.
    func read() -> Result {
        let descriptor = descriptor
        let result = call(locwatch_mosquitto_loop_read)
        guard result.isSuccess else { return result }
        // libmosquitto 2.0 overlooks the end of the stream in the middle of a packet, and would be called again at once.
        var byte: UInt8 = 0
        if recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0 {
            return Result(code: MOSQ_ERR_CONN_LOST.rawValue, error: 0)
        }
        return isPacketTooLarge(after: result) ? Result(code: MOSQ_ERR_OVERSIZE_PACKET.rawValue, error: 0) : result
    }

    /// Returns whether the packet that is being read is larger than any message that is delivered.
    ///
    /// libmosquitto keeps a packet of up to 256 MiB in memory until it is complete, and has no limit for those it receives.
    private func isPacketTooLarge(after result: Result) -> Bool {
        let count = locwatch_mosquitto_bytes_read(descriptor)
        // Without an event and with nothing left to read, a packet is incomplete or there was none.
        guard result.isDrained, inbox.isEmpty else {
            bytesBeforePacket = count
            return false
        }
        return count > bytesBeforePacket + UInt64(2 * MosquittoInbox.sizeLimit)
    }

    func write() -> Result {
        guard library.functions.mosquitto_want_write(handle) else { return Result(code: 0, error: 0) }
        return call(locwatch_mosquitto_loop_write)
    }

    /// Tests a silent connection; called every few seconds.
    func maintain() -> Result { call(locwatch_mosquitto_loop_misc) }

    func disconnect() { _ = locwatch_mosquitto_disconnect(library.table, handle) }

    // MARK: Messages

    func publish(_ message: MQTTMessage) -> (number: Int32, code: Int32) {
        var number: Int32 = 0
        let code = locwatch_mosquitto_publish(
            library.table, handle, &number, message.topic, Int32(clamping: message.payload.count), message.payload,
            Int32(message.quality.rawValue), message.isRetained)
        return (number, code)
    }

    /// Subscribes to topic filters and returns the number of the request.
    func subscribe(_ filters: [String], quality: MQTTMessage.Quality) -> (number: Int32, code: Int32) {
        var number: Int32 = 0
        let copies = filters.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let code = locwatch_mosquitto_subscribe(
            library.table, handle, &number, Int32(clamping: copies.count), copies, Int32(quality.rawValue))
        return (number, code)
    }
}
