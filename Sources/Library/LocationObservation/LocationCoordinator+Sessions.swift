import LocationCore

extension LocationCoordinator {
    /// The work of a task on the coordinator's actor.
    enum Work {
        /// Reading the session with a number.
        case reading(Int, LocationUpdates)
        /// Waiting for the limit of the request with a number.
        case limit(Int, RequestLimit)
    }

    /// A session of the provider, which is followed, or serves requests, or both.
    struct OpenSession {
        /// The request with which it began.
        let request: LocationRequest
        let filters: SessionFilters
        var task: Task<Void, Never>?
        /// A copy of the reader's iterator, once that has begun the session.
        var iterator: LocationUpdates.Iterator?
        var waker: @Sendable () -> Void = {}
        /// Whether its updates are passed on to the callbacks.
        var isFollowed = false
        /// Whether its end has been processed, and is being reported.
        var hasEnded = false
        var answers = AuthorizationAnswers()
    }

    /// A wait for the next step of a session.
    struct Wait {
        var deadline: Moment?
    }

    /// A position that was passed on, without its time of arrival.
    struct PassedLocation {
        let location: Location
        /// The session that was followed, or the request.
        let user: Int
        let session: Int?
        /// The number that was given last then: what began later is not meant.
        let last: Int
        /// Whether its session has had no other update since then.
        var isOfLastUpdate = true
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Following

    /// Begins to follow a new session.
    func follow() {
        let (number, request) = (nextNumber(), request)
        change { show(number) }
        guard let updates = open(number, request, isWanted: { followed == number }) else { return }
        tracker = Tracker(
            filters: updates.filters.replacing(request, by: request), goal: request, fences: fences,
            staleAfter: staleAfter)
        sessions[number]?.isFollowed = true
    }

    /// Shows a session that begins instead of the one before, or none.
    func show(_ number: Int?) {
        earlierLocation = tracker.view.lastLocation ?? earlierLocation
        (tracker, meter, followed) = (Tracker(), DistanceMeter(), number)
        if lastFenceEvent != nil { lastFenceEvent = nil }
    }

    /// Stops to follow a session, which goes on while requests wait for its positions.
    func leave(_ number: Int) {
        sessions[number]?.isFollowed = false
        closeIfUnused(number)
    }

    private func isFollowed(_ number: Int) -> Bool { sessions[number]?.isFollowed ?? false }

    // MARK: Sessions

    /// Opens a session, unless it is not wanted any more after the provider was asked for it, which can call back.
    @discardableResult func open(
        _ number: Int, _ request: LocationRequest, isWanted: () -> Bool
    ) -> LocationUpdates? {
        let updates = provider.updates(for: request)
        guard isWanted() else { return nil }
        sessions[number] = OpenSession(request: request, filters: updates.filters)
        sessions[number]?.task = begin(.reading(number, updates))
        return updates
    }

    /// Returns the numbers of the requests in a session, the earliest first.
    private func requests(in session: Int) -> [Int] {
        requests.filter { $0.value.session == session }.keys.sorted()
    }

    /// Closes a session that has no user any more.
    func closeIfUnused(_ number: Int) { removeIfUnused(number)?.task?.cancel() }

    /// Removes a session that is not followed, and in which no other request waits than those that are answered.
    private func removeIfUnused(_ number: Int, answered: [Int] = []) -> OpenSession? {
        let isUsed = isFollowed(number) || requests(in: number).contains { !answered.contains($0) }
        return isUsed ? nil : sessions.removeValue(forKey: number)
    }

    /// Returns the next wait for a session, or `nil` if it has no user any more.
    ///
    /// Called by the session's task. The first call begins the session.
    func nextWait(of number: Int, _ iterator: LocationUpdates.Iterator) -> Wait? {
        guard sessions[number] != nil else { return nil }
        if sessions[number]?.iterator == nil {
            sessions[number]?.waker = iterator.waker
            sessions[number]?.iterator = iterator
            for request in requests(in: number) { requests[request]?.limit.beginning = iterator.now }
        }
        // Some have joined the session, and its position answers them at once.
        reply(to: requests(in: number), of: number)
        guard let session = sessions[number], !session.hasEnded else { return nil }
        var deadlines = requests(in: number).compactMap { requests[$0]?.limit.deadline }
        if session.isFollowed, let deadline = tracker.deadline { deadlines.append(deadline) }
        return Wait(deadline: deadlines.min())
    }

    /// Processes a step of a session.
    func process(_ step: Result<SessionStep, LocationError>, after wait: Wait, of number: Int) {
        guard sessions[number] != nil else { return }
        switch step {
        case .success(.update(let update)): process(update, of: number)
        case .success(.quiet): if let deadline = wait.deadline { expire(number, at: deadline) }
        case .success(.woken): break
        case .success(.end): end(number, throwing: nil)
        case .failure(let error): end(number, throwing: error)
        }
    }

    /// Processes an update for all users of a session, and then calls their callbacks.
    private func process(_ update: LocationUpdate, of number: Int) {
        let users = requests(in: number)
        for index in passed.indices where passed[index].session == number { passed[index].isOfLastUpdate = false }
        for user in users {
            if let deadline = requests[user]?.limit.deadline, deadline < update.moment { timeOut(user, at: deadline) }
            requests[user]?.process(update)
        }
        if isFollowed(number) {
            var results: [TrackedUpdate] = []
            change {
                tracker.apply(update)
                results = takeResults()
            }
            report(results, of: number)
        }
        if case .failure(let error, _) = update.event,
            users.contains(where: { requests[$0]?.reportsFailures == true && requests[$0]?.isAnswered == false })
        {
            onFailure?(error)
        }
        reply(to: users, of: number)
    }

    /// Applies a moment of a session before which no update arrived.
    private func expire(_ number: Int, at moment: Moment) {
        let users = requests(in: number)
        for user in users {
            if let deadline = requests[user]?.limit.deadline, deadline <= moment { timeOut(user, at: deadline) }
        }
        if isFollowed(number), let deadline = tracker.deadline, deadline <= moment {
            var results: [TrackedUpdate] = []
            change {
                tracker.expire(at: moment)
                results = takeResults()
            }
            report(results, of: number)
        }
        reply(to: users, of: number)
    }

    /// Processes the end of a session, and reports it.
    ///
    /// It is processed before it is reported, so that a callback can start another session.
    private func end(_ number: Int, throwing error: LocationError?) {
        let (users, now) = (requests(in: number), sessions[number]?.iterator?.now)
        sessions[number]?.hasEnded = true
        for user in users {
            let time = requests[user]?.limit.lasted(at: now) ?? .zero
            requests[user]?.end(at: now, after: time, throwing: error)
        }
        if isFollowed(number) {
            var results: [TrackedUpdate] = []
            change {
                // Deadlines that passed before the end are applied first, and an error changes the state.
                if let now { tracker.expire(at: now) }
                if let error, let now { tracker.fail(error, at: now) }
                results = takeResults()
                tracker.end()
                followed = nil
            }
            report(results, of: number)
            if let error, isFollowed(number) {
                if let status = sessions[number]?.answers.answer(by: .failure(error)) { note(status) }
                if isFollowed(number) { onFailure?(error) }
            }
        }
        reply(to: users, of: number)
        sessions[number] = nil
    }

    /// Returns the results of the session that is followed, with which its distance is measured.
    private func takeResults() -> [TrackedUpdate] {
        let results = tracker.takeResults()
        for result in results { meter.process(result) }
        return results
    }

    // MARK: Callbacks

    /// Calls the callbacks for the results of the session that is followed, until one of them ends it.
    private func report(_ results: [TrackedUpdate], of number: Int) {
        for result in results where isFollowed(number) { report(result, of: number) }
    }

    private func report(_ result: TrackedUpdate, of number: Int) {
        switch result {
        case .update(let update, let standing):
            if let status = sessions[number]?.answers.answer(by: update.event) { note(status) }
            guard isFollowed(number) else { return }
            switch update.event {
            case .location(let location): if standing == .current { pass(location, by: number, in: number) }
            case .failure(let error, _): onFailure?(error)
            case .authorization(let status): note(status)
            default: break
            }
        case .transition(let change): onStateChange?(change)
        case .fence(let event):
            lastFenceEvent = event
            onFenceEvent?(event)
        case .integrity(let change): onIntegrityChange?(change)
        case .deviceTransition, .handover, .failureEnded: break
        }
    }

    /// Passes on a position of the session that is followed, or the answer to a request, unless another of them has passed on the same
    /// report since this one began.
    func pass(_ location: Location, by user: Int, in session: Int?) {
        var report = location
        report.received = nil
        // What the users of one session receive is the same report only if it is the same update; another session can be some updates
        // behind.
        let isPassed = passed.contains { other in
            other.user != user && other.last >= user && other.location == report
                && (other.isOfLastUpdate || other.session != session)
        }
        if isPassed { return }
        // The others are not far behind.
        if passed.count >= 4 { passed.removeFirst() }
        passed.append(PassedLocation(location: report, user: user, session: session, last: lastNumber))
        onUpdate?(location)
    }

    /// Notes an answer to whether positions may be read.
    func note(_ status: AuthorizationStatus) {
        if authorization != status { authorization = status }
        onAuthorizationChange?(status)
    }

    /// Passes on the answers of those requests of a session that have one.
    private func reply(to users: [Int], of session: Int) {
        let answered = users.filter { requests[$0]?.isAnswered ?? false }
        guard !answered.isEmpty else { return }
        // The session is over before the callbacks, so that a request in one of them begins another. Its task is the one that calls them,
        // and is cancelled after them.
        let unused = removeIfUnused(session, answered: answered)
        for user in answered {
            guard let request = requests.removeValue(forKey: user) else { continue }
            request.limit.task?.cancel()
            request.reply()
        }
        unused?.task?.cancel()
    }

    /// Answers a request whose time is over by the clock of the session.
    private func timeOut(_ user: Int, at moment: Moment) {
        guard let limit = requests[user]?.limit else { return }
        requests[user]?.end(at: moment, after: limit.duration, throwing: nil)
    }

    /// Answers a request whose time is over by the clock that was given.
    func timeOut(_ user: Int) {
        guard let request = requests[user] else { return }
        let now = sessions[request.session]?.iterator?.now
        // The task of the limit calls this.
        requests[user]?.limit.task = nil
        requests[user]?.end(at: now, after: request.limit.lasted(at: now), throwing: nil)
        reply(to: [user], of: request.session)
    }

    // MARK: Requests

    /// Returns the number of a session that serves a request, which is a new one if none is open, or `nil` if `stop` was called meanwhile.
    func session(for goal: LocationRequest) -> Int? {
        let open = sessions.filter { _, session in
            guard !session.hasEnded, session.request.device == goal.device else { return false }
            return (session.request.purpose == .authorization) == (goal.purpose == .authorization)
        }
        if let number = open.keys.min() { return number }
        let (number, stops) = (nextNumber(), stops)
        return self.open(number, goal, isWanted: { stops == self.stops }) == nil ? nil : number
    }

    /// Returns the interpretation with which a request for one position joins a session.
    func joinedTracker(of number: Int, for goal: LocationRequest) -> Tracker? {
        guard let session = sessions[number] else { return nil }
        let filters = session.filters.replacing(session.request, by: goal)
        let other =
            session.isFollowed
            ? tracker : requests(in: number).lazy.compactMap { (self.requests[$0] as? PositionRequest)?.tracker }.first
        guard let other, let now = session.iterator?.now else {
            return Tracker(filters: filters, goal: goal, staleAfter: staleAfter)
        }
        return Tracker(joining: other, filters: filters, goal: goal, at: now)
    }
}
