import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchSession
@testable import LocwatchTerminal

/// The names that scripts of users depend on, compared with the list of those that were released.
///
/// `Schema/released.csv` is edited by hand. A name that the program gets is a further row; one that it loses keeps its row, which gets the
/// version until which it was there, and its successor. `Tools/check/released` refuses every other change of a released row.
@Suite struct ReleasedKeysTests {
    /// A row of the list.
    private struct Row {
        /// The output, the name, the type and the unit, separated by commas.
        let key: String
        let since: String
        let until: String
        let successor: String

        init(_ line: Substring) throws {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            try #require(fields.count == 7, "\(line)")
            key = fields[..<4].joined(separator: ",")
            (since, until, successor) = (fields[4], fields[5], fields[6])
        }
    }

    private static let file = Golden.package.appending(path: "Schema/released.csv")

    private func rows() throws -> [Row] {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        #expect(lines.first == "output,name,type,unit,since,until,successor")
        return try lines.dropFirst().map { try Row($0) }
    }

    @Test func `the names of all outputs are those that were released, and new ones have a row`() throws {
        let current = try Self.json() + Self.numbers() + Self.metrics() + Self.hooks + Self.exitCodes
        #expect(Set(current).count == current.count, "a name occurs twice")
        let rows = try rows()
        let known = Set(rows.map(\.key))
        let missing = current.filter { !known.contains($0) }
        #expect(missing == [], "add to Schema/released.csv, with the next version: \(missing.joined(separator: ";"))")
        // A name that will go is there until the release that its row names.
        let gone = Set(rows.filter { $0.until.isEmpty }.map(\.key)).subtracting(current).sorted()
        #expect(gone == [], "a released name stays; if it must go, its row gets the version, and its successor")
    }

    @Test func `each row has a version, and one of a name that is gone the version after it and a successor`() throws {
        let rows = try rows()
        let current = Set(rows.filter { $0.until.isEmpty }.map { Self.name(of: $0.key) })
        #expect(rows.map(\.key) == rows.map(\.key).sorted(), "the rows are sorted")
        for row in rows {
            #expect(row.since.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil, "\(row)")
            #expect(row.until.isEmpty == row.successor.isEmpty, "\(row)")
            guard !row.until.isEmpty else { continue }
            #expect(row.until.compare(row.since, options: .numeric) == .orderedDescending, "\(row)")
            // Nothing replaces some.
            #expect(row.successor == "none" || current.contains(row.successor), "\(row)")
        }
    }

    /// Returns the output and the name of a row.
    private static func name(of key: String) -> String {
        key.split(separator: ",", omittingEmptySubsequences: false).prefix(2).joined(separator: " ")
    }

    // MARK: The names of the program

    /// Returns the unit in an explanation such as "Accuracy of the time, in seconds", if it names one.
    private static func unit(in explanation: String) -> String {
        let unit = explanation.firstMatch(of: /, in ((?:metres|degrees|seconds|dB)(?: a second| a minute)?)\b/)
        return unit.map { String($0.1) } ?? ""
    }

    /// Returns the keys of the schema, whose lines `SchemaTests` compares with what is printed.
    private static func json() throws -> [String] {
        let text = try Data(contentsOf: Golden.package.appending(path: "Schema/locwatch-1.schema.json"))
        let schema = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])

        func type(_ part: [String: Any]) -> String {
            if let reference = part["$ref"] as? String {
                let name = String(reference.dropFirst("#/$defs/".count))
                let definition = definitions[name] ?? [:]
                return definition["properties"] == nil ? type(definition) : name
            }
            if let value = part["const"] ?? (part["enum"] as? [Any])?.first {
                if value is String { return "string" }
                // Foundation's truth values are numbers, too.
                return (value as? NSNumber).map { String(cString: $0.objCType) == "c" } == true ? "boolean" : "integer"
            }
            guard let word = part["type"] as? String else { return "any" }
            guard word == "array" else { return word }
            return "array of \(type(part["items"] as? [String: Any] ?? [:]))"
        }
        func keys(of object: [String: Any], _ prefix: String) -> [String] {
            (object["properties"] as? [String: [String: Any]] ?? [:]).flatMap { name, part in
                let path = "\(prefix).\(name)"
                let unit = unit(in: part["description"] as? String ?? "")
                let own = ["json,\(path),\(type(part)),\(unit)"]
                return own + keys(of: part, path) + keys(of: part["items"] as? [String: Any] ?? [:], path)
            }
        }
        return definitions.flatMap { keys(of: $1, $0) }
    }

    /// Returns the columns of CSV and the values of templates.
    private static func numbers() -> [String] {
        let fields = Location.Field.rows + DilutionOfPrecision.Field.rows
        func row(_ output: String, _ name: String) -> String {
            guard let field = fields.first(where: { "\($0.name)" == name }) else {
                let isNumber = PointFieldNames.numbers.contains { PointFieldNames.all[$0] == name }
                return "\(output),\(name),\(isNumber ? "number" : "text"),"
            }
            return "\(output),\(name),\(field.isCount ? "integer" : "number"),\(unit(in: field.explanation))"
        }
        let places = Template.placeCodes.map(\.term) + Template.fenceFigures.map(\.term)
        return CSVColumns.known.map { row("csv", $0) }
            + (PointFieldNames.all + Template.Extra.allCases.map(\.rawValue) + places).map { row("template", $0) }
    }

    /// Returns the families of metrics, each with its kind, and a unit if its name has one.
    ///
    /// They are those of the sources, because a family without a sample is not printed.
    private static func metrics() throws -> [String] {
        let folder = Golden.package.appending(path: "Sources/Command/LocwatchSession/Metrics")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let units = ["seconds", "metres", "meters", "degrees", "meters_per_second", "dbhz"]
        return try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8)
                .matches(of: /(?:family|short)\(\s*"(locwatch_\w+)",\s*(\.counter)?/).map { match in
                    let name = match.1.replacing("_total", with: "")
                    let unit = units.filter { name.hasSuffix("_\($0)") }.max { $0.count < $1.count }
                    return "metric,\(match.1),\(match.2 == nil ? "gauge" : "counter"),\(unit ?? "")"
                }
        }
    }

    private static var hooks: [String] {
        HookEvent.variables.flatMap { $0.term.split(separator: ",") }.map {
            "hook,\($0.replacing(" ", with: "")),text,"
        }
    }

    private static var exitCodes: [String] { ExitCode.allCases.map { "exit,\($0.rawValue),\($0)," } }
}
