import Glibc
import LocationCore
import LocwatchPlatform

/// A run of a simulated fleet: connect, send, wait until everything has arrived, count.
struct FleetRun {
    private let options: FleetOptions
    private let load: FleetLoad
    private let consumers: FleetConsumers?
    private var report = FleetReport()

    init(_ options: FleetOptions) throws {
        self.options = options
        try DescriptorLimit.require(options.devices + options.consumers)
        let brokers = try options.brokers.map(BrokerSocketAddress.init)
        load = try FleetLoad(options, brokers)
        let broker = try options.consumerBroker.map(BrokerSocketAddress.init) ?? brokers[0]
        consumers = options.consumers > 0 ? try FleetConsumers(options, broker) : nil
    }

    /// Runs the fleet and returns the report.
    mutating func run() throws -> FleetReport {
        let empty = ProcessLoad(of: options.processes)
        try connect()
        let before = ProcessLoad(of: options.processes)
        let ownBefore = ProcessFigures.now.processorTime
        let start = FleetLoad.now
        // A script that breaks something during the load waits for this line.
        writeText("all devices are connected\n", to: STDERR_FILENO)
        try send(since: start)
        drain()
        let elapsed = Double(FleetLoad.now - start) / 1e9
        let after = ProcessLoad(of: options.processes)
        if !options.processes.isEmpty {
            report.brokerCPU = 100 * (after.processorTime - before.processorTime) / elapsed
            report.brokerSecondsToConnect = before.processorTime - empty.processorTime
            report.brokerMemory = [empty.memory, before.memory, after.memory]
        }
        report.ownCPU = 100 * ((ProcessFigures.now.processorTime - ownBefore) / .seconds(1)) / elapsed
        try count()
        load.close()
        return report
    }

    private mutating func connect() throws {
        let start = FleetLoad.now
        let limit = start + Int64(60 + options.devices / 50) * 1_000_000_000
        while consumers.map({ $0.ready < options.consumers }) ?? false {
            guard FleetLoad.now < limit else { throw FleetFailure("the consumers cannot subscribe") }
            usleep(1000)
        }
        while load.open < options.devices {
            load.step(loadSince: nil)
            guard FleetLoad.now < limit else {
                throw FleetFailure("only \(load.open) of \(options.devices) devices could connect")
            }
        }
        report.secondsToConnect = Double(FleetLoad.now - start) / 1e9
    }

    private mutating func send(since start: Int64) throws {
        var (endOfConsumer, returnOfConsumer) = (options.endOfConsumer, options.returnOfConsumer)
        var reconnection = options.reconnection
        var reconnected: Int64?
        while !load.isComplete || reconnected != nil {
            load.step(loadSince: start)
            let now = FleetLoad.now
            func isDue(_ second: Double?) -> Bool { second.map { now >= start + Int64(clamping: $0 * 1e9) } ?? false }
            if isDue(endOfConsumer) {
                endOfConsumer = nil
                report.endOfConsumer = now
                consumers?.setFirst(isWanted: false)
            }
            if isDue(returnOfConsumer) {
                returnOfConsumer = nil
                consumers?.setFirst(isWanted: true)
            }
            if isDue(reconnection) {
                reconnection = nil
                reconnected = now
                load.reconnectAtOnce()
            }
            if let began = reconnected {
                let open = load.open
                let elapsed = Double(now - began) / 1e9
                if report.secondsToReconnectHalf == nil, open >= options.devices / 2 {
                    report.secondsToReconnectHalf = elapsed
                }
                if open == options.devices {
                    report.secondsToReconnect = elapsed
                    reconnected = nil
                } else if elapsed > options.drainTimeout {
                    throw FleetFailure("only \(open) of \(options.devices) devices could connect again")
                }
            }
        }
    }

    /// Waits until everything has arrived, or until nothing has come for a while.
    private func drain() {
        let limit = FleetLoad.now + Int64(clamping: options.drainTimeout * 1e9)
        while !load.isDrained, FleetLoad.now < limit { load.step(loadSince: nil) }
        let sent = load.links.reduce(0) { $0 + $1.sent.count }
        var (received, last) = (-1, FleetLoad.now)
        while let consumers, FleetLoad.now < limit {
            load.step(loadSince: nil)
            let now = FleetLoad.now
            if consumers.received != received { (received, last) = (consumers.received, now) }
            if received >= sent || now - last > 3_000_000_000 { break }
        }
    }

    private mutating func count() throws {
        let links = load.links
        report.devices = links.count
        report.sent = links.reduce(0) { $0 + $1.sent.count }
        report.resent = links.reduce(0) { $0 + $1.resent }
        report.acknowledged = links.reduce(0) { $0 + $1.acknowledged.count }
        report.queued = links.reduce(0) { $0 + $1.queued }
        report.withoutFix = load.withoutFix
        report.connections = links.reduce(0) { $0 + $1.connections }
        report.greatestDelay = Double(load.greatestDelay) / 1e6
        if let tally = consumers?.stop() { report.count(tally, links, options) }
        if let path = options.acknowledgements { try writeAcknowledgements(to: path) }
    }

    private func writeAcknowledgements(to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw SystemFailure("write \(path)", code: errno) }
        defer { close(file) }
        for link in load.links {
            var text = ""
            for sequence in link.acknowledged.members { text += "\(link.number) \(sequence)\n" }
            var copy = text
            let code = copy.withUTF8 { WholeWrite.write(UnsafeRawBufferPointer($0), to: file) }
            if let code { throw SystemFailure("write \(path)", code: code) }
        }
    }
}
