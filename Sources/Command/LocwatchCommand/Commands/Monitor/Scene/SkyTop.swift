import LocationCore

/// The direction that the sky has up instead of north.
enum SkyTop: Hashable {
    case trueHeading(Double)
    /// The heading from magnetic north, and its direction from true north as far as the variation is known.
    case magneticHeading(Double)
    case course(Double)

    var name: String {
        switch self {
        case .trueHeading: "heading"
        case .magneticHeading: "magnetic"
        case .course: "course"
        }
    }

    /// The direction in degrees.
    var azimuth: Double {
        switch self {
        case .trueHeading(let degrees), .magneticHeading(let degrees), .course(let degrees): degrees
        }
    }
}

extension MonitorState {
    /// The direction that can be up in the sky: the heading if there is one, or else the course.
    var top: SkyTop? {
        if let heading = attitude?.heading { return .trueHeading(heading) }
        if let heading = attitude?.headingMagnetic {
            return .magneticHeading(Location.turned(heading, by: location?.magneticVariation ?? 0))
        }
        return location?.course.map { .course($0) }
    }
}
