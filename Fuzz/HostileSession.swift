@testable import LocationCore
@testable import GPSDProtocol
import LocwatchSupport

/// A session that is generated from the bytes of an input, with arbitrary numbers and texts in its reports and events.
struct HostileSession {
    private var bytes: UnsafeBufferPointer<UInt8>.SubSequence
    private var translator = ReportTranslator()
    private var assembler = EpochAssembler()
    private var tracker = LocationTracker()
    private var lastSky: SkyView?
    private var moment = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 1_795_179_730_000_000_000))
    private(set) var updates: [TrackedUpdate] = []

    private static let numbers: [Double] = [
        0, -0.0, 1, -1, 0.5, 2.5, 12, 45, 90, -90, 91, 180, 360, 361, 1e3, 1e7, 1e8, 2e9, -9e18, 1e19, 0x1p53, 0x1p63,
        1e300, -1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, -91, 100, 1e-7,
        4_294_967.295,
    ]
    private static let texts = [
        "", "/dev/a", "/dev/b", "a\nb", "\u{1B}[2J", "\u{9B}1m", "\u{202E}x", "\"segment\":9223372036854775807",
        "a,\"b\"",
        "</name>?>", "\u{0}", "\u{FFFE}\u{10FFFF}", "%{lat}",
    ]

    init(_ input: UnsafeBufferPointer<UInt8>) {
        bytes = input[...]
        while !bytes.isEmpty, updates.count < 400 { step() }
    }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    mutating func number() -> Double? {
        switch byte() {
        case 0: return nil
        case 1...128: return Self.numbers[Int(byte()) % Self.numbers.count]
        case 129...200: return Double(Int8(bitPattern: byte()))
        case 201...230: return Double(Int8(bitPattern: byte())) / 16
        default:
            let bits = (0..<8).reduce(UInt64(0)) { sum, _ in sum << 8 | UInt64(byte()) }
            let number = Double(bitPattern: bits)
            return number.isFinite ? number : nil
        }
    }

    mutating func count() -> Int? { number().map { Int(clamping: $0) } }

    mutating func text() -> String {
        let choice = byte()
        if choice < 200 { return Self.texts[Int(choice) % Self.texts.count] }
        let piece = bytes.prefix(Int(choice) - 199)
        bytes = bytes.dropFirst(piece.count)
        return String(decoding: piece, as: UTF8.self)
    }

    private mutating func time() -> Timestamp? {
        switch byte() {
        case 0: nil
        case 1...230: moment.wall
        default: number().map { Timestamp(secondsSince1970: $0) }
        }
    }

    private mutating func pass() {
        // Mostly one second, sometimes a pause, rarely years: session time never goes back and stays within a
        // timestamp's range.
        let pause: Duration =
            switch byte() {
            case 0...20: .zero
            case 21...220: .seconds(1)
            case 221...250: .seconds(Int(byte()))
            default: .seconds(Int(byte()) * 10_000_000)
            }
        moment = moment.advanced(by: pause)
    }

    private mutating func step() {
        pass()
        if let late = tracker.expire(at: moment) { updates.append(.transition(late)) }
        switch byte() % 8 {
        case 0...3: position()
        case 4...5: sky()
        case 6: device()
        default: other()
        }
    }

    private mutating func emit(_ event: LocationEvent) {
        for transition in tracker.apply(event, at: moment) { updates.append(.transition(transition)) }
        if let sky = event.skyView { lastSky = sky }
        var update = LocationUpdate(event, at: moment)
        update.sky = lastSky
        updates.append(.update(update))
    }

    private mutating func translate(_ report: GPSDReport) {
        translator.translate(report, at: moment, to: &assembler)
        while let update = assembler.updates.popFirst() { emit(update.event) }
    }

    /// Emits a report, or a location as a third-party provider may create it, without any checks.
    private mutating func position() {
        let device = text()
        let (latitude, longitude) = (number() ?? 45, number() ?? 7)
        if byte() % 4 == 0 {
            guard let coordinate = Coordinate(checking: latitude, longitude) else { return }
            var location = Location(coordinate: coordinate, timestamp: time(), device: device)
            location.horizontalAccuracy = number()
            location.verticalAccuracy = number()
            location.speedAccuracy = number()
            location.altitudeMSL = number()
            location.altitudeHAE = number()
            location.speed = number()
            location.course = number()
            location.magneticVariation = number()
            location.climb = number()
            location.received = time()
            location.quality = FixQuality(gpsdStatus: count() ?? 0)
            location.datum = text()
            location[count: .dgpsStation] = count()
            location[.dgpsAge] = number()
            location[.ecefX] = number()
            return emit(.location(location))
        }
        var report = TPVReport()
        report.device = device
        report.mode = Int(byte() % 4)
        report.time = time()
        (report.lat, report.lon) = (latitude, longitude)
        (report[.horizontalAccuracy], report[.verticalAccuracy], report[.speedAccuracy], report[.courseAccuracy]) = (
            number(), number(), number(), number()
        )
        (report[.altitudeMSL], report[.altitudeHAE], report[.geoidSeparation]) = (number(), number(), number())
        (report[.speed], report[.course], report[.magneticVariation], report[.climb]) = (
            number(), number(), number(), number()
        )
        (report.status, report[.dgpsStation], report.datum) = (count(), count().map(Double.init), text())
        translate(.tpv(report))
    }

    private mutating func sky() {
        var report = SKYReport()
        report.device = text()
        report.time = time()
        (report.dilution.horizontal, report.dilution.position, report.dilution.vertical) = (
            number(), number(), number()
        )
        (report.nSat, report.uSat) = (count(), count())
        report.satellites = (0..<Int(byte() % 5)).map { _ in
            Satellite(
                constellation: Constellation(rawValue: Int(byte() % 10)), number: count(), prn: count(),
                elevation: number(), azimuth: number(), signal: number(), isUsed: byte() % 2 == 0)
        }
        if byte() % 4 > 0 { return translate(.sky(report)) }
        let satellite = Satellite(
            constellation: .gps, number: count(), prn: count(), elevation: number(), azimuth: number(), signal: number()
        )
        var view = SkyView(satellites: [satellite], seen: count(), used: count(), device: report.device)
        view.dilution.horizontal = number()
        emit(.satellites(view))
    }

    private mutating func device() {
        var report = DeviceReport()
        (report.path, report.driver, report.subtype) = (text(), text(), text())
        (report.parity, report.bps, report.stopbits) = (text(), count(), count())
        (report.cycle, report.activated) = (number(), time())
        if byte() % 2 == 0 { return translate(.device(report)) }
        var list = DevicesReport()
        list.devices = byte() % 3 == 0 ? [] : [report]
        translate(.devices(list))
    }

    private mutating func attitude() {
        var report = ATTReport()
        (report.device, report.time) = (text(), time())
        (report.heading, report.mheading, report.pitch) = (number(), number(), number())
        (report.roll, report.rot) = (number(), number())
        report.hasMagnetometerState = byte() % 8 == 0
        if byte() % 4 > 0 { return translate(.att(report)) }
        emit(.attitude(Attitude(heading: number(), pitch: number(), rateOfTurn: number(), device: text())))
    }

    private mutating func other() {
        switch byte() % 9 {
        case 0: emit(.failure(.daemon(message: text())))
        case 1: emit(.failure(.other(code: text(), message: text())))
        case 2: emit(.failure(.notGPSD(host: text(), port: text(), answer: text())))
        case 3: emit(.searching(.noFix(seen: count(), used: count(), best: number()), device: text()))
        case 4: emit(.searching(.deviceBabbling(path: text()), device: text()))
        case 5: emit(.notice(.linesSkipped(count: count() ?? 0, cause: text())))
        case 6: emit(.notice(.implausibleDate(moment.wall, device: text())))
        case 7: attitude()
        default: emit(.failure(.deviceUnusable(path: text(), cause: .busy(holder: text()))))
        }
    }
}
