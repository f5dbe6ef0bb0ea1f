import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments

/// `@FILE` where a place is asked for.
@Suite struct PlaceFileTests {
    private static func place(_ text: String) throws -> ReferencePoint {
        let scratch = try Scratch()
        let file = try scratch.write(text, to: "home")
        var parts = ["@\(file.path)"][...].map { Substring($0) }[...]
        let point = try ReferencePoint(at: &parts)
        #expect(parts.isEmpty)
        return point
    }

    @Test(
        arguments: [
            ("45.5,7.25", nil), ("45.5,7.25,264\n", 264), ("geo:45.5,7.25;u=3\n", nil), (" 45.5 , 7.25 \r\n", nil),
            ("45.5,\u{A0}7.25\t", nil),
            ("# home\n45.5 # latitude\n7.25 # longitude\n264 # height\n3 # accuracy\n", 264),
            (#"{"event":"location","lat":45.5,"lon":7.25,"altMSL":264,"eph":3}"# + "\n", 264),
            (
                #"{"event":"location","lat":1,"lon":2}"# + "\n" + #"{"event":"location","lat":45.5,"lon":7.25}"# + "\n"
                    + #"{"event":"end","time":"2026-11-20T09:00:00Z","reason":"count","locations":1}"# + "\n", nil
            ),
            (#"{"lat":45.5,"lon":7.25,"altMSL":1e300}"#, nil), (#"{"lat":45.5,"lon":7.25,"altMSL":null}"#, nil),
            ("45.5,7.25,nan", nil), ("45.5,7.25,1e9", nil), ("45.5,7.25,-", nil),
        ] as [(String, Double?)])
    func `a file has a position in JSON, a place in text, or the lines of GeoClue's`(text: String, height: Double?)
        throws
    {
        let point = try Self.place(text)
        #expect(point.coordinate.latitude == 45.5 && point.coordinate.longitude == 7.25 && point.height == height)
    }

    @Test(
        arguments: [
            "", "\n\n", "# nothing\n", "home", "91,7", "45.5", "{", "{}", #"{"lat":91,"lon":7}"#,
            #"{"lat":"45","lon":7}"#,
            #"[{"lat":45.5,"lon":7.25}]"#, "\u{0}\u{1}\u{FFFD}", #"{"lat":45.5,"lon":7.25"#,
        ])
    func `a file without a place is refused with what was expected`(text: String) throws {
        do {
            let point = try Self.place(text)
            Issue.record("\(point)")
        } catch let error as UsageError {
            #expect(error.message.contains("has no place: expected a position"), "\(error.message)")
        }
    }

    @Test func `a file that cannot be read is refused with the reason`() throws {
        for (name, reason) in [
            ("@/nonexistent/home", "no such file"), ("@/", "is a directory"), ("@", "the path of a file"),
        ] {
            var parts = [Substring(name)][...]
            do {
                _ = try ReferencePoint(at: &parts)
                Issue.record("\(name) was read")
            } catch {
                #expect(error.message.lowercased().contains(reason), "\(error.message)")
            }
        }
    }

    @Test func `a fence, a reference and a simulation take the place in a file`() throws {
        let scratch = try Scratch()
        let file = try scratch.write("45.5,7.25,264\n", to: "home").path
        #expect(try ValueSyntax<Fence>.fence.read("home=@\(file),150,10m").center?.longitude == 7.25)
        #expect(try ValueSyntax<ReferencePoint>.reference.read("@\(file)").height == 264)
        #expect(try ValueSyntax<ReferencePoint>.reference.read("@\(file),12").height == 12)
    }
}
