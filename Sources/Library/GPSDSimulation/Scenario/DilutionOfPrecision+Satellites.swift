import Glibc
import LocationCore

extension DilutionOfPrecision {
    /// Computes the geometry of the satellites in use; `nil` if it determines no position.
    ///
    /// - Parameter holdsAltitude: whether the altitude is assumed to be known, as in a 2D fix, so that three satellites
    ///   are enough.
    package init?(of used: [SimulatedSatellite], holdsAltitude: Bool = false) {
        // H has a row (east, north, up, 1) for each satellite. The variances are the diagonal of the inverse of HᵀH.
        guard used.count >= (holdsAltitude ? 3 : 4) else { return nil }
        var matrix = [[Double]](repeating: [Double](repeating: 0, count: 8), count: 4)
        for index in 0..<4 { matrix[index][4 + index] = 1 }
        for satellite in used {
            let elevation = satellite.elevation.radians
            let azimuth = satellite.azimuth.radians
            let row = [cos(elevation) * sin(azimuth), cos(elevation) * cos(azimuth), sin(elevation), 1]
            for line in 0..<4 { for column in 0..<4 { matrix[line][column] += row[line] * row[column] } }
        }
        // A known altitude is one more and very precise measurement of the vertical.
        if holdsAltitude { matrix[2][2] += 1e8 }
        guard DilutionOfPrecision.eliminate(&matrix) else { return nil }
        let variances = (0..<4).map { matrix[$0][4 + $0] }
        guard variances.allSatisfy({ $0 > 0 && $0 < 1e6 }) else { return nil }
        self.init()
        longitude = variances[0].squareRoot()
        latitude = variances[1].squareRoot()
        horizontal = (variances[0] + variances[1]).squareRoot()
        vertical = variances[2].squareRoot()
        position = variances[..<3].reduce(0, +).squareRoot()
        time = variances[3].squareRoot()
        geometric = variances.reduce(0, +).squareRoot()
    }

    // Gauss-Jordan elimination with pivoting on the matrix augmented by the identity; false if it is singular.
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
