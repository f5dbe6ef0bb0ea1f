import Glibc
import LocationCore
import LocwatchPlatform

/// The devices of a fleet, which connect and send their fixes from one thread.
final class FleetLoad {
    let links: [FleetLink]
    /// The greatest delay of a fix behind its due time, in nanoseconds: whether the load generator itself was too slow.
    private(set) var greatestDelay: Int64 = 0
    /// The number of moments at which a device had no fix.
    private(set) var withoutFix = 0

    private let options: FleetOptions
    private let brokers: [BrokerSocketAddress]
    private let group: PollGroup
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    /// The number of devices that may be connecting at the same time.
    private var connectingLimit = 64
    private var isConnectingAll = true
    /// The links by their descriptors.
    private var members: [FleetLink?] = []
    private var nextFix = 0
    private var nextCheck: Int64 = 0

    init(_ options: FleetOptions, _ brokers: [BrokerSocketAddress]) throws {
        self.options = options
        self.brokers = brokers
        group = try PollGroup()
        links = (0..<options.devices).map { number in
            FleetLink(number, FleetDevice(number, options.scenario, seed: options.seed))
        }
    }

    deinit { buffer.deallocate() }

    static var now: Int64 { HostClock.nanoseconds(.awake) }

    /// The number of connections that the brokers have accepted and that are open.
    var open: Int { links.count { $0.isOpen } }
    /// Whether every message was sent and, if that was asked for, acknowledged.
    var isDrained: Bool { links.allSatisfy { $0.isDrained } }

    /// Whether every fix of the load was made.
    var isComplete: Bool {
        nextFix >= Int(clamping: (options.seconds * options.rate * Double(options.devices)).rounded())
    }

    /// Ends all connections and lets all devices connect again at the same time.
    func reconnectAtOnce() {
        let now = Self.now
        connectingLimit = .max
        for link in links {
            forget(link)
            link.leave(at: now, isRetriedAtOnce: true)
        }
        isConnectingAll = true
        nextCheck = 0
    }

    /// Says goodbye to the brokers.
    func close() {
        for link in links {
            forget(link)
            link.close()
        }
    }

    /// Performs the pending work, and waits a little if there is none.
    ///
    /// - Parameter start: The start of the load, or `nil` before it and after it.
    func step(loadSince start: Int64?) {
        let now = Self.now
        if let start { makeFixes(since: start, until: now) }
        if now >= nextCheck { check(at: now) }
        var watched = pollfd(fd: group.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&watched, 1, 2)
        while true {
            let ready = group.ready()
            for descriptor in ready { serve(descriptor) }
            if ready.count < 64 { break }
            // Under load there is always another one ready, but fixes must be made meanwhile.
            if Self.now - now > 10_000_000 { break }
        }
    }

    private func makeFixes(since start: Int64, until now: Int64) {
        let interval = 1e9 / (options.rate * Double(options.devices))
        // A fix has the time at which it was due, so that one each second is in a second of its own.
        let civil = Timestamp.now.nanosecondsSince1970 - Self.now
        while !isComplete {
            let elapsed = Int64(clamping: Double(nextFix) * interval)
            guard start + elapsed <= now else { return }
            greatestDelay = max(greatestDelay, now - start - elapsed)
            let link = links[nextFix % links.count]
            let time = Timestamp(nanosecondsSince1970: civil + start + elapsed)
            let payload = link.device.message(at: .nanoseconds(elapsed), time)
            if payload == nil { withoutFix += 1 }
            link.makeFix(payload, due: start + elapsed)
            nextFix += 1
            send(link, at: now)
        }
    }

    /// Looks after the connections that no descriptor reports.
    private func check(at now: Int64) {
        nextCheck = now + 20_000_000
        var connecting = links.count { $0.isConnecting }
        for link in links {
            if !link.isOpen {
                if connecting < connectingLimit, link.connect(brokers, at: now) {
                    connecting += 1
                    watch(link)
                }
            }
            let before = link.socket?.descriptor
            link.checkSilence(at: now)
            if link.socket == nil, let before { forget(before) }
            if link.isOpen { send(link, at: now) }
        }
    }

    private func serve(_ descriptor: Int32) {
        guard Int(descriptor) < members.count, let link = members[Int(descriptor)] else { return }
        let now = Self.now
        link.receive(into: buffer, at: now)
        if link.socket == nil { forget(descriptor) } else { send(link, at: now) }
    }

    private func send(_ link: FleetLink, at now: Int64) {
        guard let descriptor = link.socket?.descriptor else { return }
        let before = link.socket?.events
        link.send(options, at: now)
        guard let socket = link.socket else { return forget(descriptor) }
        if socket.events != before { _ = group.watch(descriptor, for: socket.events) }
    }

    private func watch(_ link: FleetLink) {
        guard let socket = link.socket else { return }
        let index = Int(socket.descriptor)
        while members.count <= index { members.append(nil) }
        members[index] = link
        _ = group.watch(socket.descriptor, for: socket.events)
    }

    private func forget(_ link: FleetLink) {
        if let descriptor = link.socket?.descriptor {
            group.remove(descriptor)
            forget(descriptor)
        }
    }

    /// The system removes a closed descriptor from the group by itself.
    private func forget(_ descriptor: Int32) {
        if Int(descriptor) < members.count { members[Int(descriptor)] = nil }
    }
}
