/// The state of a coordinator: what it runs, its callbacks, and the results so far.
///
/// A value without a lock, a clock or a thread. It takes the messages of the coordinator's tasks, and returns the calls that they cause.
struct CoordinatorState {
    /// A call of a callback, or the cancellation of a task.
    typealias Call = @Sendable () -> Void

    /// The report of a task.
    enum Message: Sendable {
        /// An update and the view after it; `isLast` if the session has ended and only the changes of its end follow.
        case tracked(TrackedUpdate, SessionView, isLast: Bool)
        case end(LocationError?)
        case location(Location)
        case failure(LocationError)
        case authorization(AuthorizationStatus)
        case completion(Call)
    }

    struct Callbacks {
        var update: (@Sendable (Location) -> Void)?
        var failure: (@Sendable (LocationError) -> Void)?
        var stateChange: (@Sendable (StateChange) -> Void)?
        var fence: (@Sendable (FenceEvent) -> Void)?
        var integrity: (@Sendable (IntegrityChange) -> Void)?
        var authorization: (@Sendable (AuthorizationStatus) -> Void)?
        var change: Call?
    }

    /// A task that has not ended.
    private struct RunningTask {
        var cancel: Call
        /// The last positions that other tasks have passed on since this one began, without their times of arrival.
        var passed: [Location] = []
    }

    /// The session that was started last.
    private struct Session {
        let task: Int
        /// Whether another session can be started, while this one may still report the changes of its end.
        var hasEnded = false
    }

    private(set) var request: LocationRequest
    var callbacks = Callbacks()
    private(set) var view = SessionView()
    /// The last current position of the requested receiver, in this session or an earlier one.
    private(set) var lastLocation: Location?
    private(set) var authorization = AuthorizationStatus.notDetermined
    private var session: Session?
    private var tasks: [Int: RunningTask] = [:]
    private var lastTask = 0

    init(request: LocationRequest) {
        self.request = request
    }

    /// Whether a session is followed that has not ended.
    var isFollowing: Bool { session.map { !$0.hasEnded } ?? false }

    /// The cancellations of all tasks.
    var cancellations: [Call] { tasks.values.map(\.cancel) }

    // MARK: Tasks

    /// Adds a task, and returns its number; `start` begins it and returns its cancellation.
    ///
    /// Messages of a task that is not there any more have no effect.
    mutating func addTask(_ start: (_ task: Int) -> Call) -> Int {
        lastTask += 1
        tasks[lastTask] = RunningTask(cancel: start(lastTask))
        return lastTask
    }

    /// Begins a task that was added without one, unless it was removed; `start` returns its cancellation.
    mutating func begin(_ task: Int, _ start: () -> Call) {
        if hasTask(task) { tasks[task]?.cancel = start() }
    }

    func hasTask(_ task: Int) -> Bool { tasks[task] != nil }

    mutating func removeTask(_ task: Int) { tasks[task] = nil }

    /// Makes a task the one whose session is followed.
    mutating func follow(_ task: Int) {
        view = SessionView()
        session = Session(task: task)
    }

    /// Adds the task of a new session, which `begin` begins later, and returns its number and the request.
    mutating func addSession() -> (task: Int, request: LocationRequest) {
        let task = addTask { _ in {} }
        follow(task)
        return (task, request)
    }

    /// Ends the session that is followed, and returns its cancellation; the last position stays.
    private mutating func endSession() -> Call? {
        view = SessionView()
        guard let session = session.take(), !session.hasEnded else { return nil }
        return tasks.removeValue(forKey: session.task)?.cancel
    }

    /// Removes all tasks, and returns their cancellations.
    mutating func stop() -> [Call] {
        let cancellations = cancellations
        _ = endSession()
        tasks = [:]
        return cancellations
    }

    /// Changes the request, and returns the cancellation of the session that another one must replace, if any.
    mutating func change(_ request: LocationRequest) -> Call? {
        let needsSession = self.request.sessionPart != request.sessionPart
        if self.request.device != request.device { lastLocation = nil }
        self.request = request
        return needsSession ? endSession() : nil
    }

    // MARK: Messages

    /// Applies a message of a task, and returns the calls that it causes, in order.
    ///
    /// The end of a session is applied before it is reported, so that the callback can start another one.
    mutating func process(_ message: Message, of task: Int) -> [Call] {
        guard hasTask(task) else { return [] }
        let call: Call?
        switch message {
        case .tracked(let update, let view, let isLast):
            if session?.task == task {
                self.view = view
                lastLocation = view.lastLocation ?? lastLocation
                if isLast { session?.hasEnded = true }
            }
            call = self.call(for: update, of: task)
        case .end(let error):
            if session?.task == task {
                session?.hasEnded = true
                view.end()
            }
            call = error.flatMap { Self.call(callbacks.failure, $0) }
        case .location(let location): call = self.call(for: location, of: task)
        case .failure(let error): call = Self.call(callbacks.failure, error)
        case .authorization(let status): call = self.call(for: status)
        case .completion(let completion): call = completion
        }
        return [callbacks.change, call].compactMap(\.self)
    }

    private mutating func call(for update: TrackedUpdate, of task: Int) -> Call? {
        switch update {
        case .update(let update, let standing):
            switch update.event {
            case .location(let location): standing == .current ? call(for: location, of: task) : nil
            case .failure(let error, _): Self.call(callbacks.failure, error)
            case .authorization(let status): call(for: status)
            default: nil
            }
        case .transition(let change): Self.call(callbacks.stateChange, change)
        case .fence(let event): Self.call(callbacks.fence, event)
        case .integrity(let change): Self.call(callbacks.integrity, change)
        case .deviceTransition, .handover, .failureEnded: nil
        }
    }

    private mutating func call(for status: AuthorizationStatus) -> Call? {
        authorization = status
        return Self.call(callbacks.authorization, status)
    }

    /// Returns the call for a position, unless another task has passed on the same one since this task began.
    ///
    /// A request and the session that is followed receive the same report, at slightly different times.
    private mutating func call(for location: Location, of task: Int) -> Call? {
        var report = location
        report.received = nil
        if tasks[task]?.passed.contains(report) ?? false { return nil }
        for other in tasks.keys where other != task {
            tasks[other]?.passed.append(report)
            // A request can wait for long while the session passes on positions; the others are not far behind.
            if let count = tasks[other]?.passed.count, count > 4 { tasks[other]?.passed.removeFirst() }
        }
        return Self.call(callbacks.update, location)
    }

    private static func call<Value: Sendable>(_ callback: (@Sendable (Value) -> Void)?, _ value: Value) -> Call? {
        guard let callback else { return nil }
        return { callback(value) }
    }
}

extension LocationRequest {
    /// The request without what only filters positions.
    fileprivate var sessionPart: LocationRequest {
        var request = self
        request.accuracy = nil
        request.distanceFilter = nil
        request.minimumInterval = nil
        request.maxAge = nil
        request.fix = nil
        return request
    }
}
