/// The filters of a session, through which each position passes in one order.
///
/// 1. Those of the provider: `filtered(by:)`, `moved(by:)` and `atMostEvery(_:)`, in the order in which they were applied. Filters before an
///    operator such as `mapLocations(_:)` judge a position before the operator changes it, and `LocationUpdate.rejection` carries their
///    judgement.
/// 2. That of the session's request, which judges a position as the client gets it.
/// 3. The selection: the positions that the user of a command wants to see.
///
/// The filters of the provider and of the request decide which positions a session has: one that they reject is neither in its state nor
/// in its fences. The selection only withholds positions.
///
/// A distance and an interval count from the last position that all filters admitted, those before an operator included, so a filter
/// withholds nothing because of a position that another one has withheld, and several filters are those of one request.
package struct SessionFilters: Sendable {
    /// The filters of the provider that no operator follows.
    private var provider: [LocationFilter] = []
    private var request: LocationFilter
    private var selection = LocationFilter(.everything)
    /// Whether there is no filter, so that nothing needs to be judged.
    private var admitEverything: Bool

    /// Creates the filters of a session for a request, by default for every position.
    package init(for request: LocationRequest = .everything) {
        self.request = LocationFilter(request)
        admitEverything = self.request.admitsEverything
    }

    // MARK: Changes

    /// Appends a filter of the provider.
    mutating func append(_ filter: LocationRequest) {
        let filter = LocationFilter(filter)
        if !filter.admitsEverything { provider.append(filter) }
        noteChange()
    }

    /// Sets the positions that the user wants to see.
    mutating func select(_ selection: LocationRequest) {
        self.selection = LocationFilter(selection)
        noteChange()
    }

    /// Replaces the filter of the request, from the next position on.
    mutating func change(to request: LocationRequest) {
        self.request = LocationFilter(request)
        noteChange()
    }

    private mutating func noteChange() {
        admitEverything = provider.isEmpty && request.admitsEverything && selection.admitsEverything
    }

    /// Returns the same filters, which have not judged anything yet, for another request of their session.
    package func replacing(_ request: LocationRequest, by other: LocationRequest) -> SessionFilters {
        var filters = self
        _ = filters.remove(request)
        filters.change(to: other)
        return filters
    }

    /// Returns the filters that stand before an operator in a session for a request, and those after it.
    func divided(in request: LocationRequest) -> (before: SessionFilters, after: SessionFilters) {
        var before = self
        let isFiltered = before.remove(request)
        return (before, SessionFilters(for: isFiltered ? request : .everything))
    }

    /// Removes the filter of the session's request; returns whether there was one.
    ///
    /// If a provider has made its sessions of those of another one, for a request of its own, the filter of that is one of the provider's.
    private mutating func remove(_ request: LocationRequest) -> Bool {
        let own = LocationFilter(request)
        defer { change(to: .everything) }
        if self.request == own { return true }
        if !self.request.admitsEverything { provider.append(self.request) }
        guard let index = provider.firstIndex(of: own) else { return false }
        provider.remove(at: index)
        return true
    }

    // MARK: Positions

    /// Whether a filter limits the age of positions.
    var limitsAge: Bool { request.limitsAge || selection.limitsAge || provider.contains { $0.limitsAge } }

    /// Returns whether an event concerns the requested receiver of each filter, or no particular one.
    func concern(_ event: LocationEvent) -> Bool {
        if admitEverything { return true }
        for filter in provider where !filter.concerns(event) { return false }
        return request.concerns(event)
    }

    /// Returns whether the session has the position of an update: whether it has the accuracy, the age and the dimensions that the filters
    /// demand.
    func areMet(by location: Location, of update: LocationUpdate) -> Bool {
        if case .unsuitable = update.rejection { return false }
        if admitEverything { return true }
        for filter in provider where !filter.isMet(by: location) { return false }
        return request.admitsEverything || request.isMet(by: location)
    }

    /// The judgement of all filters on a position.
    enum Admission {
        case admitted
        /// The selection rejects the position, and no other filter.
        case unselected
        /// The session does not have the position.
        case withheld
    }

    /// Returns the judgement on a position; one that all filters admit becomes the one with which the next is compared.
    mutating func admit(_ update: LocationUpdate) -> Admission {
        let admission = judge(update)
        if admission == .admitted { pass(update) }
        return admission
    }

    /// Returns the judgement on a position, without comparing the next one with it.
    mutating func judge(_ update: LocationUpdate) -> Admission {
        if update.rejection != nil { return .withheld }
        if admitEverything { return .admitted }
        var isAdmitted = request.judge(update)
        for index in provider.indices where !provider[index].judge(update) { isAdmitted = false }
        let isSelected = selection.judge(update)
        guard isAdmitted else { return .withheld }
        return isSelected ? .admitted : .unselected
    }

    /// Makes the position of an update, which has been judged, the one with which the next is compared.
    mutating func pass(_ update: LocationUpdate) {
        if admitEverything { return }
        for index in provider.indices { provider[index].pass(update) }
        request.pass(update)
        selection.pass(update)
    }
}
