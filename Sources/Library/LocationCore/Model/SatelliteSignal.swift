/// An entry of a list of satellites: a signal of one of them.
///
/// A receiver with several bands lists a satellite once for each signal.
package protocol SatelliteSignal: Hashable {
    /// The satellite, or `nil` if the receiver does not say which one it is.
    var name: SatelliteName? { get }
    /// The constellation by gpsd's number, if known.
    var system: Int? { get }
    /// The band of the signal; gpsd leaves out the first one.
    var band: Int { get }
    /// The strength in dB-Hz, or `nil` if the signal is not heard.
    var signal: Double? { get }
    var isUsed: Bool { get }
    /// Whether it says where the satellite is in the sky.
    var isPlaced: Bool { get }

    /// Takes over the place of the same satellite.
    mutating func takePlace(of other: Self)
    /// Becomes the entry of its satellite together with another signal: in use if one of them is, and as strong as the stronger.
    mutating func unite(with other: Self)
}

extension Array where Element: SatelliteSignal {
    /// The numbers of different satellites.
    package var census: SatelliteCensus { SatelliteCensus(self) }

    /// The list with each satellite once.
    package var bySatellite: [Element] {
        var places: [SatelliteName: Int] = [:]
        var list: [Element] = []
        for entry in self {
            if let name = entry.name, let place = places[name] {
                list[place].unite(with: entry)
            } else {
                if let name = entry.name { places[name] = list.count }
                list.append(entry)
            }
        }
        return list
    }

    /// Returns the list with what an earlier one of the same epoch adds, or `nil` if that adds nothing.
    ///
    /// gpsd lists an epoch in parts: in a list that grows, in a list for each system or each band, or once by satellites and once
    /// by signals. Of two lists of one satellite, the one that hears more of its signals counts, or else the later one.
    fileprivate func union(withEarlier earlier: [Element], limit: Int) -> [Element]? {
        if isContinuation(of: earlier) { return nil }
        let (own, other) = (listings, earlier.listings)
        var (isDropped, isKept): (Set<SatelliteName?>, Set<SatelliteName?>) = ([], [])
        for (name, before) in other {
            guard let now = own[name] else {
                isKept.insert(name)
                continue
            }
            if before.count > now.count {
                isKept.insert(name)
                isDropped.insert(name)
            } else if before.isOtherBand(than: now) {
                isKept.insert(name)
            }
        }
        var list = earlier.filter { isKept.contains($0.name) }
        list.removeFirst(Swift.max(0, list.count - Swift.max(0, limit - count)))
        list += filter { !isDropped.contains($0.name) }
        let isPlaced = list.place(from: self) || list.place(from: earlier)
        return isKept.isEmpty && !isPlaced ? nil : list
    }

    /// Whether the list begins with the same signals as another one.
    private func isContinuation(of earlier: [Element]) -> Bool {
        guard count >= earlier.count else { return false }
        return earlier.indices.allSatisfy { index in
            self[index].name == earlier[index].name && self[index].band == earlier[index].band
                && (self[index].isPlaced || !earlier[index].isPlaced)
        }
    }

    private var listings: [SatelliteName?: Listing] {
        var listings: [SatelliteName?: Listing] = [:]
        for entry in self { listings[entry.name, default: Listing()].add(entry) }
        return listings
    }

    /// Takes the places of satellites that have none from another list, and returns whether that has any of them.
    private mutating func place(from other: [Element]) -> Bool {
        var hasPlaced = false
        for index in indices where !self[index].isPlaced {
            guard let name = self[index].name, let known = other.first(where: { $0.isPlaced && $0.name == name })
            else { continue }
            self[index].takePlace(of: known)
            hasPlaced = true
        }
        return hasPlaced
    }
}

// A list is compared for each part of an epoch, and of a generic function another module has no specialized one: with those below
// that costs a hundredth of the instructions.

extension [Satellite] {
    /// Returns the list with what an earlier one of the same epoch adds, or `nil` if that adds nothing.
    package func completed(by earlier: [Satellite], limit: Int) -> [Satellite]? {
        union(withEarlier: earlier, limit: limit)
    }
}

extension [SignalFigures] {
    /// Returns the list with what an earlier one of the same epoch adds, or `nil` if that adds nothing.
    package func completed(by earlier: [SignalFigures], limit: Int) -> [SignalFigures]? {
        union(withEarlier: earlier, limit: limit)
    }
}

/// The signals of one satellite that a list says are heard.
private struct Listing {
    private(set) var count = 0
    private var (band, strength) = (0, 0.0)

    mutating func add(_ entry: some SatelliteSignal) {
        guard let signal = entry.signal else { return }
        count += 1
        (band, strength) = (entry.band, signal)
    }

    /// Whether the signal is another one than that of another list, because a receiver lists each band for itself.
    ///
    /// gpsd numbers the bands of two protocols differently, so nearly equal signals, and lists of several ones, are the same ones.
    func isOtherBand(than other: Listing) -> Bool {
        count == 1 && other.count == 1 && band != other.band && abs(strength - other.strength) > Self.sameStrength
    }

    /// The difference in dB of one signal in two lists, which can be of two epochs.
    private static let sameStrength = 3.0
}

extension Satellite: SatelliteSignal {
    package var name: SatelliteName? {
        SatelliteName(constellation: constellation?.rawValue, number: number, prn: prn)
    }

    package var system: Int? { constellation?.rawValue }
    package var band: Int { signalBand ?? 0 }

    package var isPlaced: Bool {
        guard let elevation, let azimuth else { return false }
        // Some receivers write zeros beside all signals of a satellite but the first.
        return elevation != 0 || azimuth != 0
    }

    package mutating func takePlace(of other: Satellite) { (elevation, azimuth) = (other.elevation, other.azimuth) }

    package mutating func unite(with other: Satellite) {
        let isStronger = (other.signal ?? 0) > (signal ?? 0)
        var united = isStronger ? other : self
        united.isUsed = isUsed || other.isUsed
        let weaker = isStronger ? self : other
        if !united.isPlaced, weaker.isPlaced || united.elevation == nil { united.takePlace(of: weaker) }
        self = united
    }
}

/// A signal in the few bytes that it takes to count and judge it, for a session that does not list satellites.
package struct SignalFigures: SatelliteSignal, Sendable {
    @OptionalDouble package private(set) var signal: Double?
    package let name: SatelliteName?
    private let constellation: Int8
    private let bandNumber: UInt8
    package private(set) var isUsed: Bool

    package var system: Int? { constellation < 0 ? nil : Int(constellation) }
    package var band: Int { Int(bandNumber) }

    @inline(__always)
    package init(constellation: Int?, number: Int?, prn: Int?, band: Int?, signal: Double?, isUsed: Bool) {
        name = SatelliteName(constellation: constellation, number: number, prn: prn)
        self.constellation = Int8(clamping: constellation ?? -1)
        bandNumber = UInt8(clamping: band ?? 0)
        self.isUsed = isUsed
        self.signal = signal
    }

    package var isPlaced: Bool { true }
    package mutating func takePlace(of other: SignalFigures) {}

    package mutating func unite(with other: SignalFigures) {
        isUsed = isUsed || other.isUsed
        if let strength = other.signal, strength > signal ?? 0 { signal = strength }
    }
}
