/// The satellites that a receiver sees at one epoch, and the dilutions of their geometry.
///
/// A view is a reference to values that never change, so that passing it on costs nothing. Setting a property makes new ones.
public struct SkyView: Sendable {
    private final class Storage: Sendable {
        let facts: SkyFacts
        let census: SatelliteCensus

        init(_ facts: consuming SkyFacts, _ census: SatelliteCensus) {
            self.facts = facts
            self.census = census
        }
    }

    private var storage: Storage

    /// Creates a view; counts that are not given are those of the different satellites in the list.
    public init(
        satellites: [Satellite]?, seen: Int? = nil, used: Int? = nil, dilution: DilutionOfPrecision = .init(),
        timestamp: Timestamp? = nil, device: String? = nil
    ) {
        var facts = SkyFacts()
        facts.list = satellites
        let census = facts.census
        facts.seen = seen ?? (satellites == nil ? nil : census.seen)
        facts.used = used ?? (satellites == nil ? nil : census.used)
        facts.dilution = dilution
        facts.timestamp = timestamp
        facts.device = device
        self.init(facts, census)
    }

    /// Creates a view of values, whose satellites are counted.
    package init(_ facts: SkyFacts) { self.init(facts, facts.census) }

    /// Creates a view of values and the census of their list.
    package init(_ facts: consuming SkyFacts, _ census: SatelliteCensus) { storage = Storage(facts, census) }

    /// The values, for several changes at once.
    package var facts: SkyFacts {
        get { storage.facts }
        set { self = SkyView(newValue) }
    }

    /// Changes values beside the list.
    private mutating func change(_ change: (inout SkyFacts) -> Void) {
        var facts = storage.facts
        change(&facts)
        storage = Storage(facts, storage.census)
    }

    /// The time of the epoch, by the receiver's clock.
    public var timestamp: Timestamp? {
        get { storage.facts.timestamp }
        set { change { $0.timestamp = newValue } }
    }

    /// The receiver that reported the view.
    public var device: String? {
        get { storage.facts.device }
        set { change { $0.device = newValue } }
    }

    /// The satellites, or `nil` if the report carried only counts, which does not mean that none is in view.
    ///
    /// A receiver with several bands lists a satellite once for each of its signals; see ``distinctSatellites``.
    public var satellites: [Satellite]? {
        get { storage.facts.isListed ? storage.facts.list : nil }
        set {
            var facts = storage.facts
            (facts.list, facts.isListed) = (newValue, true)
            self = SkyView(facts)
        }
    }

    /// The number of satellites in view, each of which counts once.
    public var seen: Int? {
        get { storage.facts.seen }
        set { change { $0.seen = newValue } }
    }

    /// The number of satellites used in the fix: those of which a signal is used.
    public var used: Int? {
        get { storage.facts.used }
        set { change { $0.used = newValue } }
    }

    /// The dilutions of precision.
    public var dilution: DilutionOfPrecision {
        get { storage.facts.dilution }
        set { change { $0.dilution = newValue } }
    }

    /// The counts of the list, also in a session that does not list satellites.
    package var census: SatelliteCensus { storage.census }

    /// The values of the list that the integrity of a position is judged by, or `nil` without one.
    var summary: SkySummary? { storage.facts.list == nil ? nil : storage.census.summary }

    /// The satellites, each once with its strongest signal, or `nil` if they are not listed.
    public var distinctSatellites: [Satellite]? {
        storage.census.hasRepeats ? satellites?.bySatellite : satellites
    }

    /// The number of signals in the list, which is larger than that of satellites for a receiver with several bands.
    ///
    /// A daemon can repeat a signal within a list.
    public var signals: Int? { satellites.map { storage.census.hasRepeats ? Set($0).count : $0.count } }

    /// The strongest signal in dB-Hz, or `nil` if none is received.
    public var bestSignal: Double? { storage.facts.isListed ? storage.census.best : nil }
}

extension SkyView: Hashable {
    /// Returns whether two views have the same values.
    public static func == (left: SkyView, right: SkyView) -> Bool {
        left.storage === right.storage || left.storage.facts == right.storage.facts
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.facts) }
}

/// The values of a view of the satellites, as they are read, merged and changed.
package struct SkyFacts: Hashable, Sendable {
    package var timestamp: Timestamp?
    package var device: String?
    /// The signals of the satellites.
    package var list: [Satellite]?
    /// Whether the list is that of the view; otherwise it is only counted and judged.
    package var isListed = true
    package var seen: Int?
    package var used: Int?
    package var dilution = DilutionOfPrecision()

    package init() {}

    /// The census of the list.
    package var census: SatelliteCensus { list.map { SatelliteCensus($0) } ?? SatelliteCensus() }
}
