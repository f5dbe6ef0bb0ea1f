import Foundation
import LocationCore
import Testing

/// Returns the fields of each row of a table of Tests/Oracles, without those of its heading.
func oracleRows(_ name: String) throws -> [[String]] {
    let file = URL(filePath: #filePath).appending(path: "../../Oracles/\(name)").standardizedFileURL
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
        .map { $0.split(separator: "\t").map(String.init) }
}

/// A geodesic computed by GeographicLib; Tests/Oracles/geodesic_vectors.py writes the table.
struct GeodesicVector {
    let start: Coordinate
    let end: Coordinate
    let distance: Double
    let initial: Double

    /// The names of the classes in the table.
    static let classes = [
        "metre", "kilometre", "tens", "hundreds", "global", "nearly-antipodal", "antipodal", "polar", "date-line",
        "equatorial", "parallel", "meridional", "coincident",
    ]

    /// All rows of the table, by class.
    static let table = Result<[String: [GeodesicVector]], any Error> {
        var table: [String: [GeodesicVector]] = [:]
        for fields in try oracleRows("geodesic_vectors.tsv") {
            let numbers = try fields.dropFirst().map { try #require(Double($0)) }
            let vector = GeodesicVector(
                start: try #require(Coordinate(checking: numbers[0], numbers[1])),
                end: try #require(Coordinate(checking: numbers[2], numbers[3])),
                distance: numbers[4], initial: numbers[5])
            table[fields[0], default: []].append(vector)
        }
        return table
    }
}
