import Glibc

/// How much the satellites' geometry worsens a position: factors on the error of one measured distance.
public struct DilutionOfPrecision: Hashable, Sendable {
    /// East and north alone, the parts of the horizontal one.
    public let east, north: Double
    /// Up.
    public let vdop: Double
    /// Time.
    public let tdop: Double

    /// Horizontal.
    public var hdop: Double { (east * east + north * north).squareRoot() }
    /// Position in three dimensions.
    public var pdop: Double { (east * east + north * north + vdop * vdop).squareRoot() }
    /// Position and time.
    public var gdop: Double { (pdop * pdop + tdop * tdop).squareRoot() }

    /// The geometry of the satellites in use, or `nil` where it determines no position.
    ///
    /// - Parameter holdsAltitude: for a fix in two dimensions, which takes the altitude for known: three satellites will do.
    public init?(of used: [SimulatedSatellite], holdsAltitude: Bool = false) {
        // H is a row (east, north, up, 1) a satellite; the answer is the diagonal of the inverse of H transposed by H.
        guard used.count >= (holdsAltitude ? 3 : 4) else { return nil }
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: 8), count: 4)
        for index in 0..<4 { matrix[index][4 + index] = 1 }
        for satellite in used {
            let elevation = satellite.elevation.radians
            let azimuth = satellite.azimuth.radians
            let row = [cos(elevation) * sin(azimuth), cos(elevation) * cos(azimuth), sin(elevation), 1]
            for line in 0..<4 { for column in 0..<4 { matrix[line][column] += row[line] * row[column] } }
        }
        // A known altitude is one more measurement, a very good one, of up alone.
        if holdsAltitude { matrix[2][2] += 1e8 }
        guard DilutionOfPrecision.eliminate(&matrix) else { return nil }
        let variances = (0..<4).map { matrix[$0][4 + $0] }
        guard variances.allSatisfy({ $0 > 0 && $0 < 1e6 }) else { return nil }
        east = variances[0].squareRoot()
        north = variances[1].squareRoot()
        vdop = variances[2].squareRoot()
        tdop = variances[3].squareRoot()
    }

    // Gauss and Jordan with pivoting, on the matrix with the identity beside it; false where it is singular.
    private static func eliminate(_ matrix: inout [[Double]]) -> Bool {
        for column in 0..<4 {
            guard let pivot = (column..<4).max(by: { abs(matrix[$0][column]) < abs(matrix[$1][column]) }),
                abs(matrix[pivot][column]) > 1e-9
            else { return false }
            matrix.swapAt(column, pivot)
            let divisor = matrix[column][column]
            for index in 0..<8 { matrix[column][index] /= divisor }
            for line in 0..<4 where line != column {
                let factor = matrix[line][column]
                for index in 0..<8 { matrix[line][index] -= factor * matrix[column][index] }
            }
        }
        return true
    }
}
