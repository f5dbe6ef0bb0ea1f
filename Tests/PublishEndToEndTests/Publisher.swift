import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationPublishing

/// A client that subscribes and collects what arrives.
final class Subscriber {
    private(set) var messages: [MQTTMessage] = []
    private(set) var isReady = false
    private(set) var failure: MQTTError?
    private let connection: MosquittoConnection

    init(_ settings: MQTTSettings) throws {
        connection = try MosquittoConnection(settings)
        open()
    }

    func open() {
        isReady = false
        failure = nil
        connection.open(at: .zero)
    }

    func step() {
        connection.step(at: .zero) { event in
            switch event {
            // An acknowledgement to a broker that was killed would fail, and libmosquitto then reads nothing more.
            case .opened: _ = try? connection.subscribe(["#"], quality: .atMostOnce, at: .zero)
            case .subscribed: isReady = true
            case .received(let message): messages.append(message)
            case .failed(let error): failure = error
            case .acknowledged, .rejected, .oversized, .closed: break
            }
        }
    }

    var descriptor: pollfd { pollfd(connection.poll) }

    /// The numbers of the positions that have arrived.
    var numbers: [Int] {
        messages.compactMap { message in
            let object = try? JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any]
            return (object?["lat"] as? Double).map { Int(($0 * 1000).rounded()) }
        }
    }
}

/// A delivery to a broker and a subscriber, stepped together on the test's own time.
final class Publisher {
    static let topic = "owntracks/anna/boat"

    let queue: PositionQueue
    let delivery: TargetDelivery
    let transport: any DeliveryTransport
    var subscriber: Subscriber?
    var now = Duration.zero

    init(
        _ settings: MQTTSettings, count: UInt64, subscriber: Subscriber? = nil, backlog: BacklogOrder = .ordered
    ) throws {
        queue = PositionQueue(count: count, step: 0.001)
        self.subscriber = subscriber
        let device = try OwnTracksDevice(user: "anna", device: "boat")
        transport = try MQTTTransport(settings, OwnTracksTarget(device, started: Timestamp(secondsSince1970: 1)))
        delivery = TargetDelivery(transport, queue, options: .init(backlog: backlog))
    }

    /// Steps everything that is ready until a condition holds.
    func run(
        _ isPublishing: Bool = true, until isSo: (Publisher) throws -> Bool, location: SourceLocation = #_sourceLocation
    ) throws {
        try drive(
            until: { try isSo(self) }, state: "\(delivery.status), \(subscriber?.messages.count ?? 0) messages",
            location: location
        ) {
            if isPublishing { delivery.step(at: now) }
            subscriber?.step()
            let watched = (isPublishing ? [pollfd(delivery.poll)] : []) + (subscriber.map { [$0.descriptor] } ?? [])
            return (watched, false)
        }
    }

    /// Waits until nothing is sent for a reason, and returns that.
    func obstacle(location: SourceLocation = #_sourceLocation) throws -> String {
        try run(until: { $0.delivery.status.obstacle != nil }, location: location)
        return try #require(delivery.status.obstacle)
    }

    /// Whether the target is held, after which it is tried again only minutes later.
    var isHeld: Bool { if case .held = delivery.status.phase { true } else { false } }
}
