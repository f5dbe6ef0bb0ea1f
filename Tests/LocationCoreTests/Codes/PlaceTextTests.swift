import TestSupport
import Testing

@testable import LocationCore

@Suite struct PlaceTextTests {
    private static let place = Coordinate(latitude: 45.0703, longitude: 7.6869)

    @Test(
        arguments: [
            ("45.0703,7.6869", 0), ("+45.0703,+7.6869", 0), ("geo:45.0703,7.6869", 0), ("GEO:45.0703,7.6869;u=35", 0),
            ("geo:45.0703,7.6869;crs=wgs84;u=35", 0), ("45°04'13.08\"N 7°41'12.84\"E", 0),
            ("45°04′13.08″N,7°41′12.84″E", 0),
            ("7°41'12.84\"E 45°04'13.08\"N", 0), ("N 45 04.218 E 7 41.214", 0), ("45.0703N 7.6869E", 0),
            ("45.0703°n,7.6869°e", 0), ("8FQ93MCP+4Q", 10), ("8fq93mcp+4q", 10), ("8FQ93MCP+4QCG", 2),
            ("8FQ90000+", 80_000),
            ("JN35ub", 5000), ("jn35UB26", 500), ("geohash:u0j2qu", 800), ("GEOHASH:U0J2QUV", 200),
            ("32TLQ9663491598", 1), ("32T LQ 96634 91598", 1), ("32tlq9691", 900), ("32TLQ", 80_000),
            ("32T 396634 4991599", 1), ("32t 396634.28 4991598.53", 0.01),
        ] as [(String, Double)])
    func `a place is read in each form`(text: String, error: Double) throws {
        let place = try PlaceText.read(text)
        #expect(place.distance(to: Self.place) <= error + 1e-3)
    }

    @Test(
        arguments: [
            ("91,0", "a latitude from -90 to 90"), ("45.07", "a longitude after the latitude"),
            ("45,7,8", "expected a place"),
            ("", "expected a place"),
            ("Berlin", "expected a place"), ("u0j2qu", "as in geohash:u0j2qu"), ("geohash:", "1 to 12 characters"),
            ("geohash:ail", "\"a\" is not one of its digits"), ("93MCP+4Q", "the plus sign comes after eight digits"),
            ("3MCP+4Q", "a short code belongs to a town"), ("8FQ93MCP+4", "two to seven digits"),
            ("8FQ90300+", "zeros can only be"), ("8FQ93000+", "zeros can only be"),
            ("8FQ90000+4Q", "no digit can follow zeros"),
            ("AFQ93MCP+4Q", "is not one of its digits"), ("XFQ93MCP+4Q", "beyond the pole"),
            ("8FQ93MCP+4Q22222222", "two to seven digits"),
            ("JN3", "as in geohash:JN3"), ("61TLQ9613191974", "not a reference of MGRS"),
            ("32TAQ9613191974", "not a reference of MGRS"),
            ("32CLQ9613191974", "has no such square"), ("32T 396634", "not a position of UTM"),
            ("32N 396634 4991599", "not the hemisphere"),
            ("0T 396634 4991599", "zones are 1 to 60"), ("32T 1e5 4991599", "not a position of UTM"),
            ("45°60'N 7°E", "below 60"), ("45.5°04'N 7°E", "only the last number"), ("45°N 7°N", "not degrees"),
            ("45°N", "not degrees"), ("95°N 7°E", "a latitude from"), ("N E", "not a position of UTM"),
            ("geo:45", "not a geo: URI"),
            ("geo:45,7;crs=nad27", "not a geo: URI"), ("geo:x,7", "expected a place"),
            ("45,7\u{1B}[31m", "expected a place"),
            ("8FQ93MC\u{1B}+4Q", "is not one of its digits"), ("1 2 3 4 5N 7E", "not degrees"),
        ])
    func `a text without a place is refused with the reason`(text: String, reason: String) {
        let error = #expect(throws: InvalidValue.self) { try PlaceText.read(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.unicodeScalars.allSatisfy { !VisibleText.isHidden($0) } == true)
    }

    @Test func `the parts after a place are left`() throws {
        for text in ["45.0703,7.6869,150", "8FQ93MCP+4Q,150", "45°04'13\"N,7°41'13\"E,150", "geo:45.0703,7.6869,150"] {
            var parts = text.split(separator: ",")[...]
            _ = try PlaceText.read(&parts)
            #expect(parts == ["150"], "\(text)")
        }
    }

    @Test func `any bytes are a place on the earth, or an error without their hidden characters`() {
        var generator = SplitMix64(seed: 11)
        let letters = Array("0123456789+-.,:;°'\"NSEWnsew ABCabc23456789CFGHgeohash\u{0}é\u{1F1E6}")
        for _ in 0..<Coverage.cases(20_000) {
            let text = String(
                (0..<Int.random(in: 0..<18, using: &generator)).map { _ in letters.randomElement(using: &generator)! })
            for text in [text, "geohash:" + text, "32T " + text] {
                do throws(InvalidValue) {
                    let place = try PlaceText.read(text)
                    #expect(abs(place.latitude) <= 90 && abs(place.longitude) <= 180, "\(text)")
                } catch {
                    #expect(!error.description.unicodeScalars.contains(where: VisibleText.isHidden), "\(text)")
                }
            }
        }
    }
}
