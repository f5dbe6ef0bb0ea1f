extension Coordinate {
    /// Returns the coordinate at a distance in metres along an initial bearing in degrees clockwise from north.
    ///
    /// A negative distance leads backwards, and one beyond half the circumference continues around the earth.
    ///
    /// - Precondition: both numbers are finite.
    public func destination(distance: Double, bearing: Double) -> Coordinate {
        precondition(distance.isFinite && bearing.isFinite, "not finite: \(distance) m, \(bearing)°")
        let azimuth = Angle(degrees: bearing)
        let from = Ellipsoid.reduced(Angle(degrees: latitude))
        let atNode = azimuth.atNode(from: from)
        let series = GeodesicSeries(azimuthAtNode: atNode)

        // On the equator every point is a node, so σ is counted from the start.
        let onEquatorEastwards = from.sine == 0 && azimuth.cosine == 0
        let startArc =
            onEquatorEastwards ? Angle(sine: 0, cosine: 1) : Angle(towards: from.sine, azimuth.cosine * from.cosine)
        let startLength = series.length(startArc)
        let length = startArc + Angle(radians: startLength)
        let added = (distance / series.metresPerRadian).remainder(dividingBy: 2 * .pi)
        let turns = distance / series.metresPerRadian - added
        let endLength = length + Angle(radians: added)
        let arc = added + series.arc(endLength) + startLength
        let endArc = startArc + Angle(radians: arc)

        let along = atNode.cosine * endArc.cosine
        let to = Angle(
            sine: atNode.cosine * endArc.sine, cosine: (atNode.sine * atNode.sine + along * along).squareRoot())
        let startTurn = Angle(sine: atNode.sine * startArc.sine, cosine: startArc.cosine)
        let endTurn = Angle(sine: atNode.sine * endArc.sine, cosine: endArc.cosine)
        let turn = (endTurn - startTurn).radians
        let defect = series.longitudeDefect(from: startArc, to: endArc, across: arc + turns)

        let east = (turn - defect) * (180 / .pi)
        return Coordinate(
            latitude: arcTangent(to.sine, Ellipsoid.axisRatio * to.cosine) * (180 / .pi),
            longitude: (longitude + east).remainder(dividingBy: 360))
    }
}
