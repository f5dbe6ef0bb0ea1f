import Testing

/// A report of a class that both decoders keep, with every field or with none.
struct FullReport: CustomTestStringConvertible, Sendable {
    let line: String
    /// The expected number of compared fields.
    let fields: Int

    var testDescription: String { String(line.prefix(60)) }

    static let all = [
        FullReport(
            line: """
                {"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"time":"2026-11-20T08:56:59.125Z",\
                "leapseconds":18,"ept":0.005,"lat":45.073612,"lon":-7.680431,"altHAE":312.1,"altMSL":263.9,"epx":3.5,\
                "epy":4.25,"epv":9.2,"track":142.3,"magtrack":139.1,"magvar":3.2,"speed":1.2,"climb":-0.3,"epd":12.5,\
                "eps":0.4,"epc":0.9,"ecefx":4472000.25,"ecefy":-603000.5,"ecefz":4494000.75,"ecefvx":0.1,\
                "ecefvy":-0.2,"ecefvz":0.3,"ecefpAcc":2.5,"ecefvAcc":0.5,"velN":1.5,"velE":-2.5,"velD":0.5,\
                "geoidSep":48.2,"eph":5.4,"sep":10.6,"depth":7.5,"dgpsAge":2.5,"dgpsSta":131}
                """,
            fields: 41),
        FullReport(line: #"{"class":"TPV"}"#, fields: 41),
        FullReport(
            line: """
                {"class":"SKY","device":"/dev/ttyACM0","time":"2026-11-20T08:56:59.000Z","xdop":0.5,"ydop":0.6,\
                "vdop":1.1,"tdop":0.7,"hdop":0.8,"gdop":1.6,"pdop":1.4,"nSat":2,"uSat":1,"satellites":[{"PRN":3,\
                "el":39.5,"az":230.0,"ss":23.5,"used":true,"gnssid":0,"svid":3,"sigid":0,"health":1},{"PRN":70,\
                "el":-2.0,"az":5.0,"ss":0.0,"used":false,"gnssid":6,"svid":6,"sigid":2,"freqid":5}]}
                """,
            fields: 32),
        FullReport(line: #"{"class":"SKY","nSat":0,"uSat":0,"satellites":[]}"#, fields: 12),
        FullReport(line: #"{"class":"SKY"}"#, fields: 12),
        FullReport(
            line: """
                {"class":"GST","device":"/dev/ttyACM0","time":"2026-11-20T08:56:59.000Z","rms":0.5,"major":3.25,\
                "minor":2.5,"orient":45.5,"lat":2.75,"lon":3.0,"alt":6.5}
                """,
            fields: 1),
        FullReport(line: #"{"class":"GST"}"#, fields: 1),
        FullReport(
            line: """
                {"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","subtype":"SW","subtype1":"ROM \\"2\\"",\
                "activated":"2026-11-20T08:56:59.250Z","flags":1,"native":1,"bps":9600,"parity":"N","stopbits":1}
                """,
            fields: 8),
        FullReport(line: #"{"class":"DEVICE"}"#, fields: 5),
        FullReport(
            line: """
                {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","flags":1,"native":0,"bps":4800,\
                "parity":"E","stopbits":2},{"class":"DEVICE","path":"/dev/ttyACM1"},\
                {"class":"DEVICE","path":"tcp://localhost:1"},{"class":"DEVICE","path":"/dev/pps0"}]}
                """,
            fields: 24),
        FullReport(line: #"{"class":"DEVICES","devices":[]}"#, fields: 1),
        FullReport(
            line: #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#, fields: 1),
    ]
}
