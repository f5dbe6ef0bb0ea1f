// This file was never built: the project is built on Linux only, where CoreLocation does not exist.
#if canImport(CoreLocation)
    public import CoreLocation
    import Foundation
    public import LocationCore

    extension Coordinate {
        /// Creates the coordinate of Apple's CoreLocation, or returns `nil` if it is not valid.
        public init?(_ coordinate: CLLocationCoordinate2D) {
            self.init(checking: coordinate.latitude, coordinate.longitude)
        }
    }

    extension CLLocationCoordinate2D {
        /// Creates the coordinate for Apple's CoreLocation.
        public init(_ coordinate: Coordinate) {
            self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
        }
    }

    extension Location {
        /// Creates the position of Apple's CoreLocation, or returns `nil` if its coordinate is not valid.
        ///
        /// A value that CoreLocation marks as invalid by a negative number becomes `nil`. Accuracies keep their values; CoreLocation
        /// does not state their confidence.
        public init?(_ location: CLLocation) {
            // A negative accuracy marks a coordinate that is not valid.
            guard location.horizontalAccuracy >= 0, let coordinate = Coordinate(location.coordinate) else { return nil }
            let hasAltitude = location.verticalAccuracy > 0
            self.init(
                coordinate: coordinate, fix: hasAltitude ? .threeD : .twoD, timestamp: Timestamp(location.timestamp),
                horizontalAccuracy: location.horizontalAccuracy, altitudeMSL: hasAltitude ? location.altitude : nil,
                speed: location.speed >= 0 ? location.speed : nil, course: location.course >= 0 ? location.course : nil)
            if hasAltitude {
                altitudeHAE = location.ellipsoidalAltitude
                verticalAccuracy = location.verticalAccuracy
            }
            if location.speedAccuracy >= 0 { speedAccuracy = location.speedAccuracy }
            if location.courseAccuracy >= 0 { courseAccuracy = location.courseAccuracy }
            isSimulated = location.sourceInformation?.isSimulatedBySoftware ?? false
        }
    }

    extension CLLocation {
        /// Creates the position for Apple's CoreLocation, in which a negative number marks what is unknown.
        ///
        /// A position without a time has that of its arrival, or else the present one.
        public convenience init(_ location: Location) {
            let source = CLLocationSourceInformation(
                softwareSimulationState: location.isSimulated, andExternalAccessoryState: !location.isSimulated)
            self.init(
                coordinate: CLLocationCoordinate2D(location.coordinate),
                altitude: location.altitudeMSL ?? location.altitudeHAE ?? 0,
                horizontalAccuracy: location.horizontalAccuracy ?? -1,
                verticalAccuracy: location.verticalAccuracy ?? -1,
                course: location.course ?? -1, courseAccuracy: location.courseAccuracy ?? -1,
                speed: location.speed ?? -1, speedAccuracy: location.speedAccuracy ?? -1,
                timestamp: Date(location.timestamp ?? location.received ?? .now), sourceInfo: source)
        }
    }
#endif
