/// The mark of a location that no receiver has measured now; it takes no part in comparisons.
///
/// In the coded form of a location it is a key only where it is set.
package struct SimulationMark: Hashable, Sendable {
    package var isSet = false

    package static func == (_: SimulationMark, _: SimulationMark) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension SimulationMark: Codable {
    package init(from decoder: any Decoder) throws {
        isSet = try decoder.singleValueContainer().decode(Bool.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(isSet)
    }
}

// Synthesized Codable conformances select these overloads, as those of `OptionalDouble`.
extension KeyedDecodingContainer {
    /// Reads a mark whose key may be absent.
    package func decode(_ type: SimulationMark.Type, forKey key: Key) throws -> SimulationMark {
        SimulationMark(isSet: try decodeIfPresent(Bool.self, forKey: key) ?? false)
    }
}

extension KeyedEncodingContainer {
    /// Writes a mark that is set.
    package mutating func encode(_ value: SimulationMark, forKey key: Key) throws {
        if value.isSet { try encode(true, forKey: key) }
    }
}

extension Location {
    /// Whether the position is that of a script, a simulated receiver, a recording or a track, and not of a receiver now.
    ///
    /// It follows from the provider, and takes no part in comparisons. A gpsd does not tell whether its receiver is simulated.
    public var isSimulated: Bool {
        get { simulation.isSet }
        set { simulation.isSet = newValue }
    }
}

extension LocationEvent {
    /// The same event; a position is marked as simulated.
    package var simulated: LocationEvent {
        guard case .location(var location) = self, !location.isSimulated else { return self }
        location.isSimulated = true
        return .location(location)
    }
}
