import Glibc
import LocationCore

/// A generator of gpsd JSON with a TPV and a SKY report per tenth of a second, formatted as by gpsd 3.22.
struct BenchInput {
    private var random: SplitMix64
    private let satellites: Int
    private let start = Timestamp(secondsSince1970: 1_793_491_200)
    private var tenths = 0
    private var latitude = 45.07
    private var longitude = 7.68
    private var course = 77.0

    init(seed: UInt64, satellites: Int) {
        random = SplitMix64(seed: seed, stream: 0)
        self.satellites = satellites
    }

    mutating func addEpoch(to text: inout [UInt8]) {
        let stamp = start.advanced(by: .milliseconds(100 * tenths)).formatted(fractionDigits: 3)
        tenths += 1
        course = (course + random.unit() * 2 + 359).truncatingRemainder(dividingBy: 360)
        latitude += (random.unit() - 0.5) * 1e-5
        longitude += (random.unit() - 0.5) * 1e-5
        let height = 235 + random.unit() * 10
        addTPV(stamp, height: height, to: &text)
        addSKY(stamp, to: &text)
    }

    private mutating func addTPV(_ stamp: String, height: Double, to text: inout [UInt8]) {
        var line =
            "{\"class\":\"TPV\",\"device\":\"/dev/ttyACM0\",\"status\":2,\"mode\":3,\"time\":\"\(stamp)\",\"ept\":0.005"
        line += ",\"lat\":\(fixed(latitude, 9)),\"lon\":\(fixed(longitude, 9))"
        line += ",\"altHAE\":\(fixed(height + 48.2, 4)),\"altMSL\":\(fixed(height, 4)),\"alt\":\(fixed(height, 4))"
        line +=
            ",\"epx\":\(fixed(2 + random.unit(), 3)),\"epy\":\(fixed(2 + random.unit(), 3)),\"epv\":\(fixed(5 + random.unit(), 3))"
        line += ",\"track\":\(fixed(course, 4)),\"magtrack\":\(fixed(course + 2.3, 4)),\"magvar\":2.3"
        line +=
            ",\"speed\":\(fixed(random.unit() * 20, 3)),\"climb\":\(fixed(random.unit() - 0.5, 3)),\"eps\":0.41,\"epc\":9.2"
        line +=
            ",\"geoidSep\":48.200,\"eph\":\(fixed(3 + random.unit(), 3)),\"sep\":\(fixed(6 + random.unit(), 3))}\r\n"
        text.append(contentsOf: line.utf8)
    }

    private mutating func addSKY(_ stamp: String, to text: inout [UInt8]) {
        var line =
            "{\"class\":\"SKY\",\"device\":\"/dev/ttyACM0\",\"time\":\"\(stamp)\",\"xdop\":\(fixed(0.5 + random.unit(), 2))"
        line +=
            ",\"ydop\":\(fixed(0.5 + random.unit(), 2)),\"vdop\":\(fixed(1 + random.unit(), 2)),\"tdop\":\(fixed(0.5 + random.unit(), 2))"
        line +=
            ",\"hdop\":\(fixed(0.7 + random.unit(), 2)),\"gdop\":\(fixed(1.5 + random.unit(), 2)),\"pdop\":\(fixed(1.2 + random.unit(), 2))"
        line += ",\"nSat\":\(satellites),\"uSat\":\(satellites / 2),\"satellites\":["
        for index in 0..<satellites {
            let constellation = [0, 6, 2, 3][index % 4]
            let signal = random.unit() < 0.1 ? 0 : 20 + random.unit() * 30
            line += index == 0 ? "" : ","
            line += "{\"PRN\":\(1 + index),\"el\":\(fixed((random.unit() * 90).rounded(), 1))"
            line += ",\"az\":\(fixed((random.unit() * 359).rounded(), 1)),\"ss\":\(fixed(signal.rounded(), 1))"
            line += ",\"used\":\(index % 2 == 0),\"gnssid\":\(constellation),\"svid\":\(1 + index % 32)"
            line += constellation == 6 ? ",\"freqid\":\(1 + index % 14)}" : ",\"health\":1}"
        }
        text.append(contentsOf: (line + "]}\r\n").utf8)
    }

    private func fixed(_ number: Double, _ decimals: Int) -> String {
        var text = [CChar](repeating: 0, count: 32)
        withVaList([Int32(decimals), number]) { _ = vsnprintf(&text, text.count, "%.*f", $0) }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
