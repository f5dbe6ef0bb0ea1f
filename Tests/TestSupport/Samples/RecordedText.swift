import LocationCore

/// A short session as a client of gpsd 3.22 receives it.
package enum RecordedText {
    package static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
    package static let devices =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0","driver":"NMEA0183","#
        + #""activated":"2026-03-01T08:00:00.250Z","flags":1,"native":0,"bps":9600,"parity":"N","stopbits":1,"cycle":1.00}]}"#
    package static let watch =
        #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"timing":false,"split24":false,"pps":false}"#

    package static func position(_ second: Int, device: String = "/dev/ttyUSB0") -> String {
        let time = Timestamp(secondsSince1970: Double(1_772_352_000 + second)).formatted(fractionDigits: 3)
        return
            #"{"class":"TPV","device":"\#(device)","mode":3,"time":"\#(time)","ept":0.005,"lat":45.07361\#(second % 10),"#
            + #""lon":7.680431000,"altHAE":312.1000,"altMSL":263.9000,"eph":5.400,"epv":9.200,"speed":1.200,"track":142.3000}"#
    }

    package static func positions(_ count: Int) -> [String] { (0..<count).map { position($0) } }

    package static func session(_ reports: [String]) -> String {
        ([version, devices, watch] + reports).map { $0 + "\n" }.joined()
    }
}
