import LocationCore

/// The facts about the rate of a u-blox receiver that gpsd does not report.
enum UBXRate {
    /// The name of gpsd's driver.
    static let driver = "u-blox"
    /// The message that asks for the rate (UBX-CFG-RATE).
    ///
    /// gpsd notes the answer as the cycle of the device; otherwise it has the one that it has set last, or a second.
    static let poll: [UInt8] = [0xB5, 0x62, 0x06, 0x08, 0x00, 0x00, 0x0E, 0x30]
    /// The shortest cycle of gpsd's driver, which in gpsd's reports is cut off to 0.02 s.
    static let shortestCycle = Duration.milliseconds(25)
}
