/// A satellite as a receiver sees it, or one of its signals.
///
/// It has 56 bytes, because a list of them comes with each epoch, and views of the satellites are kept.
public struct Satellite: Hashable, Sendable {
    /// The degrees above the horizon.
    @OptionalDouble public var elevation: Double?
    /// The degrees clockwise from true north.
    @OptionalDouble public var azimuth: Double?
    /// The carrier-to-noise density in dB-Hz; `nil` also if gpsd reports 0, which means no signal.
    @OptionalDouble public var signal: Double?
    /// The pseudorange residual, in metres.
    @OptionalDouble @usableFromInline package var residual: Double?

    // The counts, which are 0 if they are unknown, so that equal satellites are equal in memory.
    @usableFromInline var receiverNumber = 0
    @usableFromInline var systemNumber = 0
    @usableFromInline var band: Int16 = 0
    @usableFromInline var slot: Int16 = 0
    @usableFromInline var tracking: UInt8 = 0
    @usableFromInline var marks: Marks = []

    /// The constellation of the satellite, if reported.
    public var constellation: Constellation?
    /// The health that the satellite broadcasts.
    public var health: Health?

    /// Creates a satellite from the usual values.
    @inlinable public init(
        constellation: Constellation? = nil, number: Int? = nil, prn: Int? = nil, elevation: Double? = nil,
        azimuth: Double? = nil, signal: Double? = nil, isUsed: Bool = false
    ) {
        self.constellation = constellation
        self.elevation = elevation
        self.azimuth = azimuth
        self.signal = signal
        self.number = number
        self.prn = prn
        self.isUsed = isUsed
    }

    /// The health of a satellite.
    public enum Health: Int, Hashable, Sendable {
        /// Not known.
        case unknown = 0
        /// Fit for use.
        case ok = 1
        /// Not to be used.
        case bad = 2
    }
}

extension Satellite {
    /// The use of the satellite, and which of its counts are known.
    @usableFromInline struct Marks: OptionSet, Hashable, Sendable {
        @usableFromInline let rawValue: UInt8

        @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

        @inlinable static var used: Marks { Marks(rawValue: 1) }
        @inlinable static var receiverNumber: Marks { Marks(rawValue: 2) }
        @inlinable static var systemNumber: Marks { Marks(rawValue: 4) }
        @inlinable static var band: Marks { Marks(rawValue: 8) }
        @inlinable static var slot: Marks { Marks(rawValue: 16) }
        @inlinable static var tracking: Marks { Marks(rawValue: 32) }
    }

    /// The receiver's own number for the satellite, unique within a constellation at most.
    public var prn: Int? {
        @inlinable get { known(receiverNumber, .receiverNumber) }
        @inlinable set { receiverNumber = noted(newValue, .receiverNumber) }
    }

    /// The number within the constellation.
    public var number: Int? {
        @inlinable get { known(systemNumber, .systemNumber) }
        @inlinable set { systemNumber = noted(newValue, .systemNumber) }
    }

    /// The signal of the satellite that the values belong to (`sigid`).
    @usableFromInline package var signalBand: Int? {
        @inlinable get { known(band, .band) }
        @inlinable set { band = noted(newValue, .band) }
    }

    /// The GLONASS frequency slot.
    @usableFromInline package var frequencySlot: Int? {
        @inlinable get { known(slot, .slot) }
        @inlinable set { slot = noted(newValue, .slot) }
    }

    /// The quality with which the receiver tracks the satellite, 0 … 7.
    @usableFromInline package var quality: Int? {
        @inlinable get { known(tracking, .tracking) }
        @inlinable set { tracking = noted(newValue, .tracking) }
    }

    /// Whether the satellite is used in the fix.
    public var isUsed: Bool {
        @inlinable get { marks.contains(.used) }
        @inlinable set { if newValue { marks.insert(.used) } else { marks.remove(.used) } }
    }

    /// Returns a count, or `nil` if it is not marked as known.
    @inlinable @inline(__always)
    func known(_ count: some FixedWidthInteger, _ mark: Marks) -> Int? { marks.contains(mark) ? Int(count) : nil }

    /// Marks a count as known or not, and returns what is stored of it.
    @inlinable @inline(__always)
    mutating func noted<Stored: FixedWidthInteger>(_ count: Int?, _ mark: Marks) -> Stored {
        guard let count, let stored = Stored(exactly: count) else {
            marks.remove(mark)
            return 0
        }
        marks.insert(mark)
        return stored
    }
}
