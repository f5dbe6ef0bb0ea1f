/// A number of a location, of its details or of dilutions: its names, meaning, unit, plausible values, and its place in memory.
///
/// The tables of these rows are the only lists of the numbers. Reading gpsd's JSON, merging the reports of an epoch, `--json`, its schema,
/// CSV, templates, their help, tracks, queues and descriptions are loops over them, so that a new number is a property and a row.
@usableFromInline package struct NumberField: Sendable {
    /// The name in `--json`, CSV and templates.
    @usableFromInline package let name: StaticString
    package let gpsdName: StaticString
    /// The plausible values.
    ///
    /// They are wide enough for a receiver in orbit, for the accuracy that u-blox receivers report before a fix
    /// (4,294,967 m) and for every value in recordings of real receivers.
    package let range: ClosedRange<Double>
    @usableFromInline let quantity: Quantity
    private let meaning: StaticString
    /// Whether the number is a count, which is stored as `Int?` and not as a `OptionalDouble`.
    @usableFromInline package let isCount: Bool
    /// The place in the struct, in bytes.
    @usableFromInline let offset: Int

    private init(
        _ name: StaticString, gpsd: StaticString? = nil, _ range: ClosedRange<Double>, _ quantity: Quantity = .other,
        means meaning: StaticString, isCount: Bool = false, at offset: Int?
    ) {
        self.name = name
        gpsdName = gpsd ?? name
        self.range = range
        self.quantity = quantity
        self.meaning = meaning
        self.isCount = isCount
        // A stored property always has an offset.
        guard let offset else { preconditionFailure("\(name) is not stored") }
        self.offset = offset
    }

    /// The meaning with the unit, as in "Accuracy of the time, in seconds".
    package var explanation: String { quantity.unit.map { "\(meaning), in \($0)" } ?? meaning.description }

    // Inlined, the key paths become numbers at compile time; at run time they cost 1 MB of resident memory.

    @inline(__always)
    init<Root>(
        _ name: StaticString, _ path: KeyPath<Root, OptionalDouble>, gpsd: StaticString? = nil,
        _ range: ClosedRange<Double>, _ quantity: Quantity = .other, means meaning: StaticString
    ) {
        self.init(name, gpsd: gpsd, range, quantity, means: meaning, at: MemoryLayout<Root>.offset(of: path))
    }

    @inline(__always)
    init<Root>(
        _ name: StaticString, _ path: KeyPath<Root, Int?>, _ range: ClosedRange<Double>, means meaning: StaticString
    ) {
        self.init(name, range, means: meaning, isCount: true, at: MemoryLayout<Root>.offset(of: path))
    }

    @inline(__always)
    init<Root>(
        _ name: StaticString, _ path: KeyPath<Root, Vector3>, axis: Int, _ range: ClosedRange<Double>,
        _ quantity: Quantity = .other, means meaning: StaticString
    ) {
        let start = MemoryLayout<Root>.offset(of: path)
        self.init(
            name, range, quantity, means: meaning, at: start.map { $0 + axis * MemoryLayout<OptionalDouble>.stride })
    }

    /// Returns the number in the memory of its struct, or NaN if it is unknown.
    @inlinable @inline(__always)
    package func number(in bytes: UnsafeRawBufferPointer) -> Double {
        isCount
            ? bytes.load(fromByteOffset: offset, as: Int?.self).map(Double.init) ?? .nan
            : bytes.load(fromByteOffset: offset, as: Double.self)
    }

    /// Sets the number in the memory of its struct; NaN is an unknown one.
    @inline(__always)
    package func set(_ number: Double, in bytes: UnsafeMutableRawBufferPointer) {
        if isCount {
            bytes.storeBytes(of: Int(exactly: number), toByteOffset: offset, as: Int?.self)
        } else {
            bytes.storeBytes(of: number.isFinite ? number : .nan, toByteOffset: offset, as: Double.self)
        }
    }
}

extension Collection<NumberField> {
    /// Visits the fields in the memory of their struct.
    @inlinable @inline(__always)
    func visit(_ bytes: UnsafeRawBufferPointer, _ visitor: inout some LocationFieldVisitor) {
        for field in self {
            let number = field.number(in: bytes)
            guard !number.isNaN || visitor.wantsAbsent else { continue }
            if field.isCount {
                visitor.count(field.name, Int(exactly: number))
            } else {
                visitor.number(field.name, number.isNaN ? nil : number, field.quantity)
            }
        }
    }

    /// Returns the place of a field, which is in the table.
    func place(of name: String) -> Int where Index == Int {
        guard let place = firstIndex(where: { $0.name.description == name }) else {
            preconditionFailure("\(name) is not in the table")
        }
        return place
    }

    /// Takes each number that is unknown from an earlier struct of the same type.
    func fill(_ bytes: UnsafeMutableRawBufferPointer, from earlier: UnsafeRawBufferPointer) {
        for field in self where field.number(in: UnsafeRawBufferPointer(bytes)).isNaN {
            field.set(field.number(in: earlier), in: bytes)
        }
    }
}

/// The numbers of a location and of its details, in one table.
package enum LocationNumbers {
    /// The rows of `Location`, then those of `LocationDetails`.
    package static let fields = Location.fields + LocationDetails.fields

    /// The places of the rows by their names and gpsd's.
    package static let places: [String: Int] = {
        var places: [String: Int] = [:]
        for (place, field) in fields.enumerated() {
            places[field.name.description] = place
            places[field.gpsdName.description] = place
        }
        return places
    }()
}

extension Location {
    /// Calls `body` with each known number, its row and its place in the table of all numbers.
    package func forEachNumber(_ body: (_ place: Int, _ field: NumberField, _ number: Double) -> Void) {
        func visit(_ fields: [NumberField], from start: Int, _ bytes: UnsafeRawBufferPointer) {
            for (place, field) in fields.enumerated() {
                let number = field.number(in: bytes)
                if !number.isNaN { body(start + place, field, number) }
            }
        }
        withUnsafeBytes(of: self) { visit(Self.fields, from: 0, $0) }
        guard hasDetails, let details else { return }
        withUnsafeBytes(of: details) { visit(LocationDetails.fields, from: Self.fields.count, $0) }
    }

    /// The number with a name, which is that of `--json` or gpsd's, if it is known.
    ///
    /// It reads also what only some receivers report, such as `depth`, `temp`, `wspeedt` (the speed of the wind) or `baseL` (the distance from
    /// an RTK base); `man locwatch` lists the names.
    public subscript(name: String) -> Double? { LocationNumbers.places[name].flatMap { self[number: $0] } }

    /// The number at a place in the table of all numbers.
    package subscript(number place: Int) -> Double? {
        get {
            let number =
                place < Self.fields.count
                ? withUnsafeBytes(of: self) { Self.fields[place].number(in: $0) }
                : withUnsafeBytes(of: details ?? LocationDetails()) { LocationNumbers.fields[place].number(in: $0) }
            return number.isNaN ? nil : number
        }
        set {
            let number = newValue ?? .nan
            guard place >= Self.fields.count else {
                return withUnsafeMutableBytes(of: &self) { Self.fields[place].set(number, in: $0) }
            }
            guard newValue != nil || hasDetails else { return }
            var changed = details ?? LocationDetails()
            withUnsafeMutableBytes(of: &changed) { LocationNumbers.fields[place].set(number, in: $0) }
            details = changed
        }
    }

    /// Takes each number that is unknown from an earlier report of the same epoch.
    package mutating func fillNumbers(from earlier: Location) {
        withUnsafeMutableBytes(of: &self) { bytes in
            withUnsafeBytes(of: earlier) { Self.fields.fill(bytes, from: $0) }
        }
        guard earlier.hasDetails, let old = earlier.details else { return }
        guard var merged = details else {
            details = old
            return
        }
        withUnsafeMutableBytes(of: &merged) { bytes in
            withUnsafeBytes(of: old) { LocationDetails.fields.fill(bytes, from: $0) }
        }
        merged.datum = merged.datum ?? old.datum
        details = merged
    }
}
