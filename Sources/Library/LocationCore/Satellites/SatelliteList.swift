// A list of satellites is one of their signals: a receiver with several bands lists a satellite once for each.
extension [Satellite] {
    /// The list with each satellite once.
    package var bySatellite: [Satellite] {
        var places: [SatelliteName: Int] = [:]
        var list: [Satellite] = []
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
    package func completed(by earlier: [Satellite], limit: Int) -> [Satellite]? {
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
    private func isContinuation(of earlier: [Satellite]) -> Bool {
        guard count >= earlier.count else { return false }
        return earlier.indices.allSatisfy { index in
            self[index].name == earlier[index].name && self[index].signalBand ?? 0 == earlier[index].signalBand ?? 0
                && (self[index].isPlaced || !earlier[index].isPlaced)
        }
    }

    private var listings: [SatelliteName?: Listing] {
        var listings: [SatelliteName?: Listing] = [:]
        for entry in self { listings[entry.name, default: Listing()].add(entry) }
        return listings
    }

    /// Takes the places of satellites that have none from another list, and returns whether that has any of them.
    private mutating func place(from other: [Satellite]) -> Bool {
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

/// The signals of one satellite that a list says are heard.
private struct Listing {
    private(set) var count = 0
    private var (band, strength) = (0, 0.0)

    mutating func add(_ entry: Satellite) {
        guard let signal = entry.signal else { return }
        count += 1
        (band, strength) = (entry.signalBand ?? 0, signal)
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

extension Satellite {
    /// The satellite that the signal belongs to, or `nil` if the receiver does not say which one it is.
    var name: SatelliteName? { SatelliteName(self) }

    /// Whether it says where the satellite is in the sky.
    fileprivate var isPlaced: Bool {
        guard let elevation, let azimuth else { return false }
        // Some receivers write zeros beside all signals of a satellite but the first.
        return elevation != 0 || azimuth != 0
    }

    /// Takes over the place of the same satellite.
    fileprivate mutating func takePlace(of other: Satellite) {
        (elevation, azimuth) = (other.elevation, other.azimuth)
    }

    /// Becomes the entry of its satellite together with another signal: in use if one of them is, and as strong as the stronger.
    fileprivate mutating func unite(with other: Satellite) {
        let isStronger = (other.signal ?? 0) > (signal ?? 0)
        var united = isStronger ? other : self
        united.isUsed = isUsed || other.isUsed
        let weaker = isStronger ? self : other
        if !united.isPlaced, weaker.isPlaced || united.elevation == nil { united.takePlace(of: weaker) }
        self = united
    }
}
