package import LocationCore

extension LocationUpdate {
    /// The same update as one of a fleet, about the machine that its device names.
    package var ofFleet: LocationUpdate { about(event.device) }
}

extension [LocationUpdate] {
    /// The same updates as those of a fleet, each about the machine that its device names, if they are to be.
    package func ofFleet(_ isFleet: Bool = true) -> [LocationUpdate] { isFleet ? map(\.ofFleet) : self }
}
