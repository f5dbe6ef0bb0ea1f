extension Coordinate {
    /// The six-character Maidenhead locator used in amateur radio: a field of 5' of longitude by 2.5' of latitude.
    package var maidenhead: String {
        // The date line belongs to the westernmost fields and the north pole to the northernmost ones.
        let east = longitude + 180 == 360 ? 0 : Int((longitude + 180) * 12)
        let north = min(180 * 24 - 1, Int((latitude + 90) * 24))
        func letter(_ first: UInt8, _ number: Int) -> Character {
            Character(Unicode.Scalar(first + UInt8(number)))
        }
        let (A, zero, a) = (UInt8(ascii: "A"), UInt8(ascii: "0"), UInt8(ascii: "a"))
        return String([
            letter(A, east / 240), letter(A, north / 240), letter(zero, east / 24 % 10), letter(zero, north / 24 % 10),
            letter(a, east % 24), letter(a, north % 24),
        ])
    }
}
