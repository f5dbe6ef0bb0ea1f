/// The filters of a session, all of which a position must pass.
///
/// A distance and an interval count from the last position that has passed all of them. Their order makes no difference, and filters
/// that are applied one by one are those of one request.
package struct SessionFilters: Sendable {
    private var filters: [LocationFilter]

    /// Creates the filters of a session.
    package init(_ filters: [LocationFilter]) { self.filters = filters }

    /// Replaces the first filter, from the next position on.
    mutating func replaceFirst(by filter: LocationFilter) {
        if !filters.isEmpty { filters[0] = filter }
    }

    var limitsAge: Bool { filters.contains { $0.criteria.maxAge != nil } }

    /// Returns whether an event concerns the requested receiver of each filter, or no particular one.
    func concern(_ event: LocationEvent) -> Bool {
        for filter in filters where !filter.concerns(event) { return false }
        return true
    }

    /// Returns whether the position of an update has the accuracy, the age and the dimensions that the filters demand.
    func areMet(by location: Location, of update: LocationUpdate) -> Bool {
        if case .unsuitable = update.rejection { return false }
        for filter in filters where !filter.isMet(by: location) { return false }
        return true
    }

    /// Returns whether all filters admit an update; a position that they all admit becomes the one with which the next is compared.
    mutating func admit(_ update: LocationUpdate) -> Bool {
        if update.rejection != nil { return false }
        var isAdmitted = true
        for index in filters.indices where !filters[index].judge(update) { isAdmitted = false }
        guard isAdmitted else { return false }
        for index in filters.indices { filters[index].pass(update) }
        return true
    }
}
