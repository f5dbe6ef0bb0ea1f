import Foundation
import LocationCore
import GPSDProtocol
import TestSupport
import Testing

@testable import LocationTracks

/// The fields of NMEA sentences as pynmea2 reads them, compared with the points that were written.
@Suite struct SentenceReadingTests {
    /// The values of a sentence as the reader found them; a field that was empty is `nil`.
    private struct Found: Decodable {
        var line, type, talker: String
        var time, date, status, mode, variationSide, unit: String?
        var lat, lon, quality, used, hdop, vdop, pdop, altitude, separation, age, station: Double?
        var knots, kmh, course, magneticCourse, variation, fix: Double?
        var range, major, minor, orientation, north, east, up, day, month, year, heading, turn: Double?
    }

    private func read(_ bytes: [UInt8]) throws -> [Found] {
        let scratch = try Scratch()
        let file = try scratch.write(bytes, to: "sentences.nmea")
        return try Tool.output(of: [Tool.oracle("read_sentences.py"), file]).split(separator: "\n").map {
            try JSONDecoder().decode(Found.self, from: Data($0.utf8))
        }
    }

    /// The sentences of points, in all types.
    private func written(_ points: [TrackPoint]) -> [UInt8] {
        var options = TrackFormat.Options()
        options.sentences = Set(NMEASentenceType.allCases)
        var writer = NMEAWriter(options)
        var out = TextBuffer()
        for point in points { writer.append(point, into: &out) }
        return out.bytes
    }

    /// Expects that the reader finds each field of the points, and no other.
    private func expect(_ points: [TrackPoint], _ comment: Comment) throws {
        var epochs: [[Found]] = []
        for sentence in try read(written(points)) {
            if sentence.type == "GGA" { epochs.append([]) }
            epochs[epochs.count - 1].append(sentence)
        }
        try #require(epochs.count == points.count, comment)
        for (point, sentences) in zip(points, epochs) {
            for sentence in sentences { expect(sentence, point, comment) }
        }
    }

    private func expect(_ found: Found, _ point: TrackPoint, _ comment: Comment) {
        let location = point.location
        let is3D = location.fix == .threeD
        let place: Comment = "\(comment.rawValue): \(found.line)"
        func expect(_ value: Double?, _ wanted: Double?, within tolerance: Double, line: Int = #line) {
            let isSame = value.map { abs($0 - (wanted ?? .nan)) <= tolerance } ?? (wanted == nil)
            let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
            #expect(isSame, "\(place.rawValue): \(value as Any), not \(wanted as Any)", sourceLocation: location)
        }
        let civil = location.timestamp?.civil
        let time = location.timestamp.map { $0.formatted(fractionDigits: 3).filter { $0 != ":" }.suffix(11).prefix(10) }
        if ["GGA", "RMC", "GLL", "GST", "ZDA"].contains(found.type) {
            #expect(found.time == time.map(String.init), place)
        }
        if ["GGA", "RMC", "GLL"].contains(found.type) {
            expect(found.lat, location.coordinate.latitude, within: 1e-7)
            expect(found.lon, location.coordinate.longitude, within: 1e-7)
        }
        if ["RMC", "VTG", "GLL"].contains(found.type) {
            let modes = [1: "A", 2: "D", 3: "R", 4: "F", 5: "E", 6: "E", 7: "A", 8: "S", 9: "P"]
            #expect(found.mode == modes[location.quality.gpsdStatus], place)
        }
        let speed = location.speed.flatMap { $0 >= 0 ? $0 : nil }
        let course = location.course.flatMap { 0...360 ~= $0 ? $0 : nil }
        let east = location.magneticVariation
        switch found.type {
        case "GGA":
            let qualities = [1: 1.0, 2: 2, 3: 4, 4: 5, 5: 6, 6: 6, 7: 1, 8: 8, 9: 3]
            expect(found.quality, qualities[location.quality.gpsdStatus], within: 0)
            expect(found.used, point.used.map(Double.init), within: 0)
            // A sentence that would be too long has fewer decimals.
            expect(found.hdop, point.dilution.horizontal.map { min(99.99, $0) }, within: 0.0501)
            expect(found.altitude, is3D ? location.altitudeMSL : nil, within: 0.0501)
            expect(found.separation, location.geoidSeparation, within: 0.0501)
            expect(found.age, location[.dgpsAge], within: 0.0501)
            // The number of the station, four digits, is the first value that a long sentence leaves out.
            let hasRoom = found.station != nil || found.line.utf8.count + "0000\r\n".utf8.count <= 82
            expect(found.station, hasRoom ? location[.dgpsStation] : nil, within: 0)
        case "RMC":
            #expect(found.status == "A", place)
            expect(found.knots, speed.map { $0 * 3600 / 1852 }, within: 0.0501)
            expect(found.course, course, within: 0.0501)
            expect(found.variation, east.map(abs), within: 0.0501)
            #expect(found.variationSide == east.map { $0 < 0 ? "W" : "E" }, place)
            #expect(found.date == location.timestamp.map { String($0.formatted(fractionDigits: 3).prefix(10)) }, place)
        case "GLL": #expect(found.status == "A", place)
        case "VTG":
            expect(found.knots, speed.map { $0 * 3600 / 1852 }, within: 0.00051)
            expect(found.kmh, speed.map { $0 * 3.6 }, within: 0.00051)
            expect(found.course, course, within: 0.00501)
            let turn = found.magneticCourse.map { ($0 + (east ?? .nan) - (course ?? .nan)).remainder(dividingBy: 360) }
            expect(turn, course == nil || east == nil ? nil : 0, within: 0.00501)
        case "GST":
            expect(found.north, location.latitudeAccuracy.map { $0 / 1.96 }, within: 0.00501)
            expect(found.east, location.longitudeAccuracy.map { $0 / 1.96 }, within: 0.00501)
            expect(found.up, is3D ? location.verticalAccuracy.map { $0 / 1.96 } : nil, within: 0.00501)
            expect(found.major, location[.errorEllipseMajor], within: 0.00501)
            expect(found.minor, location[.errorEllipseMinor], within: 0.00501)
            expect(found.orientation, location[.errorEllipseOrientation], within: 0.0501)
            expect(found.range, nil, within: 0)
        case "ZDA":
            expect(found.day, civil.map { Double($0.day) }, within: 0)
            expect(found.month, civil.map { Double($0.month) }, within: 0)
            expect(found.year, civil.map { Double($0.year) }, within: 0)
        case "GSA":
            expect(found.fix, Double(location.fix.rawValue), within: 0)
            expect(found.hdop, point.dilution.horizontal.map { min(99.99, $0) }, within: 0.0501)
            let (position, vertical) = (point.dilution.position, point.dilution.vertical)
            expect(found.pdop, location.fix == .twoD ? nil : position.map { min(99.99, $0) }, within: 0.0501)
            expect(found.vdop, location.fix == .twoD ? nil : vertical.map { min(99.99, $0) }, within: 0.0501)
        case "GSV": break
        case "HDT":
            expect(found.heading, location.heading, within: 0.00501)
            #expect(found.unit == "T", place)
        case "HDM":
            expect(found.heading, location.headingMagnetic, within: 0.00501)
            #expect(found.unit == "M", place)
        case "ROT":
            expect(found.turn, location.rateOfTurn, within: 0.0501)
            #expect(found.status == "A", place)
        default: Issue.record("an unexpected type: \(place.rawValue)")
        }
    }

    // MARK: Hostile points

    private static let numbers = [
        Double.nan, .infinity, -.infinity, 1e300, -1e300, -0.0, .leastNonzeroMagnitude, -1, 1e9, 99_999.999, 359.999,
        360,
    ]

    /// Returns a point that has a number wherever there is one.
    private func point(_ coordinate: Coordinate, _ number: Double) -> TrackPoint {
        var location = Location(coordinate: coordinate, timestamp: SampleTrack.start)
        for field in Location.Field.allCases { location[field] = number }
        location[count: .dgpsStation] = .max
        let satellites = (1...40).map {
            Satellite(
                constellation: .beidou, number: $0, elevation: number, azimuth: number, signal: number, isUsed: true)
        }
        var sky = SkyView(satellites: satellites, used: .max)
        for field in DilutionOfPrecision.Field.allCases { sky.dilution[field] = number }
        return TrackPoint(location, sky: sky)
    }

    @Test func `numbers of any kind give sentences that a reader accepts`() throws {
        let places = [(90.0, 180.0), (-90, -180), (-89.999_999_999, 179.999_999_999), (-0.0, 0)].map {
            Coordinate(latitude: $0, longitude: $1)
        }
        let points = Self.numbers.flatMap { number in places.map { point($0, number) } }
        let found = try read(written(points))
        for type in ["GGA", "RMC"] {
            let read = found.filter { $0.type == type }
            try #require(read.count == points.count, "\(type)")
            for (sentence, point) in zip(read, points) {
                let place = point.location.coordinate
                #expect(abs((sentence.lat ?? .nan) - place.latitude) < 1e-7, "\(sentence.line)")
                #expect(abs((sentence.lon ?? .nan) - place.longitude) < 1e-7, "\(sentence.line)")
            }
        }
    }

    // MARK: Fields

    @Test func `each quality of a fix has its number and its letter`() throws {
        let points = [1, 2, 3, 4, 5, 6, 7, 8, 9].map { status in
            let place = Coordinate(latitude: -33.8, longitude: -151.2)
            var location = Location(coordinate: place, timestamp: SampleTrack.start)
            location.quality = FixQuality(gpsdStatus: status)
            return TrackPoint(location)
        }
        try expect(points, "qualities")
    }

    @Test func `the satellites in use name the talker`() throws {
        let unused = Satellite(constellation: .glonass, number: 7, elevation: 10, azimuth: 350)
        let location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), fix: .twoD)
        let systems = [Constellation.gps, .sbas, .glonass, .galileo, .beidou, .qzss, .navic]
        let points = systems.map { system in
            let one = Satellite(
                constellation: system, number: system == .sbas ? 123 : 3, elevation: 40, azimuth: 83, signal: 46,
                isUsed: true)
            var sky = SkyView(satellites: [one, unused])
            sky.dilution.horizontal = 12.345
            return TrackPoint(location, sky: sky)
        }
        let talkers = try read(written(points)).filter { $0.type == "GGA" }.map(\.talker)
        #expect(talkers == ["GP", "GP", "GL", "GA", "GB", "GQ", "GI"])
        // gpsd 3.22 knows neither QZSS under its own talker nor NavIC.
        for (system, point) in zip(systems, points) where ![.qzss, .navic].contains(system) {
            let epochs = (0..<4).map { second in
                var point = point
                point.location.timestamp = SampleTrack.start.advanced(by: .seconds(second))
                return TrackElement.point(point)
            }
            let text = String(decoding: SampleTrack.written(epochs, as: .nmea), as: UTF8.self)
            let lines = try Tool.output(of: ["gpsdecode", "-j"], input: text)
            let number = system == .sbas ? 123 : 3
            #expect(lines.contains(#""used":true,"gnssid":\#(system.rawValue),"svid":\#(number)}"#), "\(lines)")
        }
    }

    @Test func `another program reads the heading and the rate of turn of each position that has them`() throws {
        let points = [(0.0, 359.99, -720.5), (360, 0, 0), (77.635, 74.25, 3.25)].map { heading, magnetic, turn in
            var location = Location(
                coordinate: Coordinate(latitude: 45, longitude: 7), timestamp: SampleTrack.start, course: 90)
            (location.heading, location.headingMagnetic, location.rateOfTurn) = (heading, magnetic, turn)
            return TrackPoint(location)
        }
        try expect(points, "headings")
        let types = try read(written(points)).map(\.type)
        for type in ["HDT", "HDM", "ROT"] { #expect(types.count { $0 == type } == points.count) }
    }

    /// gpsd 3.22 reads a heading from true north, and no other values of an attitude.
    @Test func `gpsd reads the heading that is written`() throws {
        let epochs = (0..<4).map { second in
            var location = Location(
                coordinate: Coordinate(latitude: 45, longitude: 7),
                timestamp: SampleTrack.start.advanced(by: .seconds(second)), altitudeMSL: 3, course: 90)
            location.heading = 244.25
            return TrackElement.point(TrackPoint(location))
        }
        let text = String(decoding: SampleTrack.written(epochs, as: .nmea), as: UTF8.self)
        let lines = try Tool.output(of: ["gpsdecode", "-j"], input: text)
        #expect(lines.contains(#""class":"ATT""#) && lines.contains(#""heading":244.25"#), "\(lines)")
    }

    // MARK: Receivers

    @Test func `the sentences of recorded receivers have each field that the receiver reported`() async throws {
        var (points, own) = ([TrackPoint](), 0)
        for recording in SampleRecording.all {
            var assembler = TrackAssembler(keepsSatellites: true)
            var found: [TrackPoint] = []
            for try await update in ReplayProvider(.path(recording.path), pace: .max).tracked() {
                found += SampleTrack.points(assembler.process(update))
            }
            // Of the points with the same empty fields one suffices.
            var shapes: Set<[Bool]> = []
            let different = found.filter { point in
                let fields = written([point]).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                return shapes.insert(fields.map(\.isEmpty)).inserted
            }
            points += different
            if recording.isFixture { own += different.count }
        }
        #expect(own == 43)
        try expect(points, "recordings")
    }
}
