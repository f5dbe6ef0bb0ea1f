import Glibc
import LocwatchPlatform
import LocwatchSupport

/// The consumers of a fleet on a thread of their own, which count what arrives.
final class FleetConsumers: Sendable {
    private struct Shared {
        var isStopped = false
        var isFirstWanted = true
        var ready = 0
        var received = 0
        var tally: FleetTally?
    }

    private final class Board: Sendable {
        let shared = Lock(Shared())
        let wake: Event

        init() throws(SystemFailure) { wake = try Event() }
    }

    private let board: Board
    private let thread: NativeThread

    /// Starts the consumers, which connect on their thread.
    init(_ options: FleetOptions, _ broker: BrokerSocketAddress) throws(SystemFailure) {
        let board = try Board()
        self.board = board
        let group = try PollGroup()
        nonisolated(unsafe) let owned = group
        thread = try NativeThread { Self.run(options, broker, board, owned) }
    }

    /// The number of consumers that have subscribed.
    var ready: Int { board.shared.withLock { $0.ready } }
    /// The number of different messages that have arrived.
    var received: Int { board.shared.withLock { $0.received } }

    /// Kills the first consumer, or lets it return.
    func setFirst(isWanted: Bool) {
        board.shared.withLock { $0.isFirstWanted = isWanted }
        board.wake.happen()
    }

    /// Ends the consumers and returns their tally.
    func stop() -> FleetTally? {
        thread.join {
            board.shared.withLock { $0.isStopped = true }
            board.wake.happen()
        }
        return board.shared.withLock { $0.tally }
    }

    // MARK: The thread

    private static func run(
        _ options: FleetOptions, _ broker: BrokerSocketAddress, _ board: Board, _ group: PollGroup
    ) {
        var tally = FleetTally(devices: options.devices)
        let consumers = (0..<options.consumers).map { FleetConsumer($0, options) }
        var members: [Int32: FleetConsumer] = [:]
        _ = group.watch(board.wake.descriptor, for: Int32(POLLIN))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }

        func leave(_ consumer: FleetConsumer) {
            guard let descriptor = consumer.socket?.descriptor else { return }
            group.remove(descriptor)
            members[descriptor] = nil
            consumer.leave()
        }
        while true {
            let now = HostClock.nanoseconds(.awake)
            let (isStopped, isFirstWanted) = board.shared.withLock { ($0.isStopped, $0.isFirstWanted) }
            if isStopped { break }
            if let first = consumers.first, first.isWanted != isFirstWanted {
                first.isWanted = isFirstWanted
                if !isFirstWanted { leave(first) }
            }
            for consumer in consumers {
                if let socket = consumer.connect(broker, at: now) { members[socket.descriptor] = consumer }
                guard consumer.send(at: now) else {
                    leave(consumer)
                    continue
                }
                if let socket = consumer.socket { _ = group.watch(socket.descriptor, for: socket.events) }
            }
            var watched = pollfd(fd: group.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&watched, 1, 50)
            for descriptor in group.ready() {
                guard let consumer = members[descriptor] else {
                    board.wake.clear()
                    continue
                }
                consumer.receive(into: buffer) { topic, payload in
                    tally.count(topic, payload, at: HostClock.nanoseconds(.awake))
                }
            }
            let (ready, received) = (consumers.count { $0.isReady }, tally.received)
            board.shared.withLock { ($0.ready, $0.received) = (ready, received) }
        }
        let result = tally
        board.shared.withLock { $0.tally = result }
    }
}
