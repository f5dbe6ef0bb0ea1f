import Glibc
import GPSDProtocol
import LocwatchPlatform

/// The request to a gpsd to open a device, over its control socket.
///
/// The command line would show the name of the device, and a password in it, to every user of the machine.
final class DeviceRequest {
    private let device: String
    private let socket: UnlinkedSocket
    private(set) var descriptor: Int32 = -1
    private var answer: [UInt8] = []
    private(set) var isSent = false
    /// Whether gpsd cannot open the device.
    private(set) var isRefused = false
    /// Whether the answer is that of a gpsd that opens streams in the background.
    private(set) var opensInBackground = false

    init(_ device: String, at socket: UnlinkedSocket) {
        self.device = device
        self.socket = socket
    }

    deinit { hangUp() }

    /// Connects and sends the request, once.
    func send() {
        guard !isSent, let connection = try? socket.connect() else { return }
        isSent = true
        descriptor = connection
        let command = Array("+\(device)\r\n".utf8)
        isRefused = Glibc.send(connection, command, command.count, Int32(MSG_NOSIGNAL)) != command.count
    }

    /// Reads the answer; returns whether gpsd has opened the device.
    func readAnswer() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return false }
        if count > 0 { answer += bytes[..<count] }
        guard count <= 0 || answer.contains(UInt8(ascii: "\n")) || answer.count > bytes.count else { return false }
        hangUp()
        let isOpen = Self.isAccepted(answer)
        isRefused = !isOpen
        opensInBackground = GPSDQuirks.opensInBackground(answer)
        return isOpen
    }

    /// Notes that gpsd has closed the device after it had accepted it.
    func refuse() { isRefused = true }

    /// Returns whether gpsd has done what it was asked for: 3.22 answers `OK`, and later releases with an object.
    static func isAccepted(_ answer: [UInt8]) -> Bool {
        ["OK", #"{"class":"ACK""#, #"{"class":"OK""#].contains { answer.starts(with: $0.utf8) }
    }

    private func hangUp() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }
}
