/// Messages of a u-blox receiver, made by hand.
package enum UBXFrame {
    package static func bytes(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let body = [messageClass, id, UInt8(payload.count & 0xFF), UInt8(payload.count >> 8)] + payload
        var (first, second): (UInt8, UInt8) = (0, 0)
        for byte in body {
            first &+= byte
            second &+= first
        }
        return [0xB5, 0x62] + body + [first, second]
    }

    /// NAV-PVT: the position and the time of an epoch, as so many seconds after 2026-01-05T12:00:00Z, a Monday.
    package static func position(_ second: Int, fix: UInt8 = 3) -> [UInt8] {
        var payload = little(UInt32(time(second))) + little(UInt16(2026)) + [1, 5, 12]
        payload += [UInt8(second / 60), UInt8(second % 60), 0x37] + little(UInt32(20)) + little(UInt32(0))
        payload += [fix, fix > 1 ? 1 : 0, 0, 9]
        payload += little(UInt32(bitPattern: Int32(163_700_000 + 100 * second)))
        payload += little(UInt32(bitPattern: Int32(482_000_000 + 70 * second)))
        payload += little(UInt32(240_000)) + little(UInt32(200_000)) + little(UInt32(5000)) + little(UInt32(8000))
        payload += little(UInt32(100)) + little(UInt32(100)) + little(UInt32(0)) + little(UInt32(141))
        payload += little(UInt32(4_500_000)) + little(UInt32(300)) + little(UInt32(1_000_000)) + little(UInt16(150))
        return bytes(0x01, 0x07, payload + [UInt8](repeating: 0, count: 92 - payload.count))
    }

    /// NAV-SAT: four satellites of GPS.
    package static func satellites(_ second: Int) -> [UInt8] {
        var payload = little(UInt32(time(second))) + [1, 4, 0, 0]
        for number in UInt8(1)...4 {
            payload += [0, number, 40, 45] + little(UInt16(80 * UInt16(number))) + [0, 0] + little(UInt32(0x1F))
        }
        return bytes(0x01, 0x35, payload)
    }

    /// NAV-EOE: the end of an epoch.
    package static func end(_ second: Int) -> [UInt8] { bytes(0x01, 0x61, little(UInt32(time(second)))) }

    /// The milliseconds of the GPS week.
    private static func time(_ second: Int) -> Int { (86_400 + 43_200 + 18 + second) * 1000 }

    private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
