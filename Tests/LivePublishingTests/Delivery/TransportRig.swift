import Foundation
import LocationCore
@testable import LocationPublishing
import TestSupport
import Testing

/// A transport, stepped by the test.
final class TransportRig {
    let transport: any DeliveryTransport
    private(set) var events: [DeliveryEvent] = []
    private(set) var number: UInt64 = 0

    init(_ transport: any DeliveryTransport) {
        self.transport = transport
        // The thread of a publisher's deliveries receives no signals.
        signal(SIGPIPE, SIG_IGN)
        open()
    }

    /// Creates the transport of a TARGET word, with a folder that is that of the user.
    convenience init(_ word: String, in folder: Scratch) throws {
        var options = TargetOptions(hostName: "h", version: "1", started: Timestamp(secondsSince1970: 0))
        options.homeFolder = folder.url.path
        var factory = TransportFactory()
        self.init(try factory.transport(for: PreparedTarget.prepare([word], options)[0]))
    }

    func open(at now: Duration = .zero) {
        transport.open(at: now)
        step(at: now)
    }

    func step(at now: Duration = .zero) { transport.step(at: now) { events.append($0) } }

    func step(until isSo: () -> Bool) throws {
        try drive(until: isSo, state: "\(events)") {
            step()
            return ([pollfd(transport.poll)], false)
        }
    }

    /// Sends positions at one latitude in degrees, each as an epoch.
    func send(_ latitude: Int, times: Int = 1, at now: Duration = .zero) {
        for _ in 0..<times {
            number += 1
            let place = Coordinate(latitude: Double(latitude), longitude: 7)
            let record = PublishRecord(
                .moved, created: Timestamp(secondsSince1970: 1.7e9), location: Location(coordinate: place))
            transport.send([QueuedRecord(number, record)], isOld: false, at: now)
            step(at: now)
        }
    }

    func close() {
        transport.close(at: .zero)
        step()
    }

    /// Whether each record so far was taken.
    var tookAll: Bool {
        !events.contains { if case .failed = $0 { true } else { false } }
            && events.last == .decided(.taken, numbers: [number])
    }
}

/// Reads what is there now, without waiting.
func unreadText(from descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

/// Returns whether something is at a path, without following a link.
func exists(_ path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0
}

/// Returns the permissions of what is at a path.
func mode(of path: String) -> UInt32? {
    var found = stat()
    return stat(path, &found) == 0 ? found.st_mode & 0o777 : nil
}

/// Returns the value of an option of a socket.
func option(_ name: Int32, of socket: Int32) -> Int32 {
    var (value, length) = (Int32(-1), socklen_t(MemoryLayout<Int32>.size))
    getsockopt(socket, SOL_SOCKET, name, &value, &length)
    return value
}

/// The number of files that this process has open.
var openFiles: Int { (0..<1024).count { fcntl($0, F_GETFD) >= 0 } }
