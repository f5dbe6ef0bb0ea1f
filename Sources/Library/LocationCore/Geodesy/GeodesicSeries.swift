/// The integrals along one geodesic, as Fourier series in the arc σ on the auxiliary sphere, counted from the node.
///
/// The expansions (Bessel 1825, Helmert 1880, in the notation of Karney 2013) are in powers of `epsilon`, which is
/// below 0.0017 on the earth; the truncation error is below a micrometre on the longest geodesic.
struct GeodesicSeries {
    /// The sine of the azimuth at the node, where the geodesic crosses the equator northwards.
    let sineAtNode: Double
    /// e′² cos² α₀, with the azimuth α₀ at the node: a measure of the flattening along the geodesic.
    let kSquared: Double
    let epsilon: Double

    init(azimuthAtNode: Angle) {
        sineAtNode = azimuthAtNode.sine
        kSquared = Ellipsoid.secondEccentricitySquared * azimuthAtNode.cosine * azimuthAtNode.cosine
        let root = (1 + kSquared).squareRoot()
        epsilon = kSquared / (2 * (1 + root) + kSquared)
    }

    /// The metres per radian of σ, without the periodic part.
    var metresPerRadian: Double {
        let e2 = epsilon * epsilon
        return Ellipsoid.polarRadius * (1 + e2 * (1 / 4.0 + e2 / 64)) / (1 - epsilon)
    }

    /// Returns the periodic part of the length from the node to σ, in radians.
    func length(_ arc: Angle) -> Double {
        let e = epsilon
        let e2 = e * e
        return sineSum(
            arc,
            e * (-1 / 2.0 + e2 * (3 / 16.0)),
            e2 * (-1 / 16.0 + e2 / 32),
            e * e2 * (-1 / 48.0),
            e2 * e2 * (-5 / 512.0))
    }

    /// Returns the correction that converts a length in radians to its σ.
    func arc(_ length: Angle) -> Double {
        let e = epsilon
        let e2 = e * e
        return sineSum(
            length,
            e * (1 / 2.0 - e2 * (9 / 32.0)),
            e2 * (5 / 16.0 - e2 * (37 / 96.0)),
            e * e2 * (29 / 96.0),
            e2 * e2 * (539 / 1536.0))
    }

    /// Returns the second length integral from one σ to another; with the first one it gives the reduced length.
    func secondLength(from start: Angle, to end: Angle, across arc: Double) -> Double {
        let e = epsilon
        let e2 = e * e
        let scale = (1 - e) * (1 + e2 * (1 / 4.0 + e2 * (9 / 64.0)))
        let c1 = e * (1 / 2.0 + e2 / 16)
        let c2 = e2 * (3 / 16.0 + e2 / 32)
        let c3 = e * e2 * (5 / 48.0)
        let c4 = e2 * e2 * (35 / 512.0)
        return scale * (arc + sineSum(end, c1, c2, c3, c4) - sineSum(start, c1, c2, c3, c4))
    }

    /// Returns by how much the longitude falls short of that on the auxiliary sphere, from one σ to another, in
    /// radians.
    func longitudeDefect(from start: Angle, to end: Angle, across arc: Double) -> Double {
        let (e, n) = (epsilon, Ellipsoid.thirdFlattening)
        let n2 = n * n
        let scale =
            1
            - e
            * ((1 - n) / 2
                + e * ((2 + n - 3 * n2) / 8 + e * ((1 + 3 * n + n2) / 16 + e * (3 + 2 * n) / 64)))
        let c1 = e * ((1 - n) / 4 + e * ((1 - n2) / 8 + e * ((3 + 3 * n - n2) / 64 + e * (5 + 2 * n) / 128)))
        let c2 = e * e * ((2 - 3 * n + n2) / 32 + e * ((3 - 2 * n - 3 * n2) / 64 + e * (3 + n) / 128))
        let c3 = e * e * e * ((5 - 9 * n + 5 * n2) / 192 + e * (9 - 10 * n) / 384)
        let periodic = sineSum(end, c1, c2, c3, 0) - sineSum(start, c1, c2, c3, 0)
        return Ellipsoid.flattening * sineAtNode * scale * (arc + periodic)
    }
}

extension Angle {
    /// Returns the azimuth at the node of the geodesic with this azimuth at a reduced latitude.
    func atNode(from latitude: Angle) -> Angle {
        Angle(
            sine: sine * latitude.cosine,
            cosine: (cosine * cosine + sine * sine * latitude.sine * latitude.sine).squareRoot())
    }
}

/// Returns c1 sin 2σ + c2 sin 4σ + c3 sin 6σ + c4 sin 8σ, by Clenshaw's recurrence.
private func sineSum(_ arc: Angle, _ c1: Double, _ c2: Double, _ c3: Double, _ c4: Double) -> Double {
    let x = 2 * (arc.cosine - arc.sine) * (arc.cosine + arc.sine)
    let y3 = c3 + x * c4
    let y2 = c2 + x * y3 - c4
    let y1 = c1 + x * y2 - y3
    return 2 * arc.sine * arc.cosine * y1
}
