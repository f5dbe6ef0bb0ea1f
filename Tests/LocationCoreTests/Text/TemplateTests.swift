import Testing

@testable import LocationCore

@Suite struct TemplateTests {
    /// Names of which only the first, `lat`, is a number.
    private let names = TemplateNames(["lat", "device", "Alt"], numbers: [0])

    private func pieces(_ text: String) throws -> [Template.Piece] { try Template(text, names).pieces }

    @Test(
        arguments: [
            ("", []), ("plain", [.text("plain")]), ("%{device}", [.value(1, decimals: nil)]),
            ("a%{lat:.3}b", [.text("a"), .value(0, decimals: 3), .text("b")]),
            ("%{lat:.12}", [.value(0, decimals: 12)]),
            ("%{lat}%{Alt}", [.value(0, decimals: nil), .value(2, decimals: nil)]),
            ("100%%", [.text("100%")]), ("%%{lat}", [.text("%{lat}")]),
            ("%%%{lat}", [.text("%"), .value(0, decimals: nil)]),
            ("a\\tb\\n", [.text("a"), .escape(.tab), .text("b"), .escape(.newline)]),
            ("\\\\n", [.escape(.backslash), .text("n")]), ("{lat}}", [.text("{lat}}")]),
        ] as [(String, [Template.Piece])])
    func `names, percent signs and escapes are read in one pass`(text: String, expected: [Template.Piece]) throws {
        #expect(try pieces(text) == expected)
    }

    @Test func `a text after a bar stands for a value that is unknown`() throws {
        let template = try Template("a%{lat:.1|0},%{device||}%{Alt}", names)
        #expect(
            template.pieces == [
                .text("a"), .value(0, decimals: 1), .text(","), .value(1, decimals: nil), .value(2, decimals: nil),
            ])
        #expect(template.fallbacks == [1: "0", 3: "|"])
        #expect(try Template("%{lat|}", names).fallbacks == [0: ""])
        #expect(throws: InvalidValue.unknownName("")) { try Template("%{|0}", names) }
    }

    @Test(arguments: ["%20", "5%", "%", "% {lat}", "%d", "\\x", "\\\"", "\\", "\\%d", "%\u{308}{lat}"])
    func `a percent sign or a backslash before anything else stands for itself`(text: String) throws {
        #expect(try pieces(text) == [.text(text)])
    }

    @Test(
        arguments: [
            ("%{latitude}", "latitude"), ("%{}", ""), ("%{ lat}", " lat"), ("%{LAT}", "LAT"), ("%{a\u{1b}}", "a\u{1b}"),
        ])
    func `an unknown name is an error that names it`(text: String, name: String) {
        let error = InvalidValue.unknownName(name)
        #expect(throws: error) { try pieces(text) }
        #expect(error.unknownName == name)
        #expect(error.description == "expected a known name instead of %{\(VisibleText.of(name))}")
        #expect(error.description.unicodeScalars.allSatisfy { !VisibleText.isHidden($0) })
    }

    @Test func `a code of the place has the usual length, or the one that stands after a colon`() throws {
        let names = TemplateNames(["lat"], numbers: [0], takesPlaces: true)
        let pieces = try Template("%{geohash}%{geohash:5}%{maidenhead:4}", names).pieces
        #expect(
            pieces == [.code(.geohash, length: 9), .code(.geohash, length: 5), .code(.maidenhead, length: 4)])
        for length in ["0", "13", "", "5.", "+5"] {
            #expect(throws: InvalidValue.length(of: .geohash)) { try Template("%{geohash:\(length)}", names) }
        }
    }

    @Test func `a figure of a fence is a value where there are fences`() throws {
        let names = TemplateNames(["lat"], numbers: [0], takesPlaces: true)
        let pieces = try Template("%{fence.a.b.distance:.1}%{fence.x.bearing}", names).pieces
        #expect(pieces == [.fence("a.b", .distance, decimals: 1), .fence("x", .bearing, decimals: nil)])
        for name in ["fence..distance", "fence.x.size", "fence.distance", "x.y.distance"] {
            #expect(throws: InvalidValue.unknownName(name)) { try Template("%{\(name)}", names) }
        }
        #expect(throws: InvalidValue.unknownName("fence.x.bearing")) { try self.pieces("%{fence.x.bearing}") }
    }

    @Test(
        arguments: [
            ("%{lat", .unclosedBrace), ("%{", .unclosedBrace), ("%{device:.2}", .unexpectedDecimals(of: "device")),
            ("%{lat:2}", .decimals(of: "lat")), ("%{lat:.}", .decimals(of: "lat")),
            ("%{lat:.13}", .decimals(of: "lat")), ("%{lat:.+1}", .decimals(of: "lat")),
            ("%{lat:}", .decimals(of: "lat")), ("%{lat:.1.2}", .decimals(of: "lat")),
        ] as [(String, InvalidValue)])
    func `a mistake between the braces is an error`(text: String, error: InvalidValue) {
        #expect(throws: error) { try pieces(text) }
        #expect(error.description.hasPrefix("expected "))
    }
}
