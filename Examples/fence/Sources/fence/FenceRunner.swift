import LocationCore

/// A fence at which arriving and leaving run a command.
struct FenceRunner {
    var fence: Fence
    /// The program and its arguments, to which the kind of the event is appended.
    var command: [String]

    /// Runs the command for each arrival and departure until the session ends.
    func run(
        _ provider: some LocationProvider, launch: ([String]) throws(LaunchError) -> Void
    ) async throws {
        for try await event in provider.fenceEvents(for: [fence]) {
            // Neither a beginning outside nor positions that are too inaccurate are an arrival or a departure.
            if event.kind == .outside || event.kind == .undecided { continue }
            do throws(LaunchError) {
                try launch(command + [event.kind.rawValue])
            } catch {
                // A command that cannot be run does not end the watch.
                print(error)
            }
        }
    }
}

extension FenceRunner {
    /// Creates a runner from the arguments of the program, or returns `nil` if they are wrong.
    init?(arguments: [String]) {
        guard arguments.count >= 4, let latitude = Double(arguments[0]), let longitude = Double(arguments[1]),
            let radius = Double(arguments[2]), let center = Coordinate(checking: latitude, longitude),
            let fence = try? Fence(name: "fence", shape: .circle(center: center, radius: radius))
        else { return nil }
        self.init(fence: fence, command: Array(arguments[3...]))
    }
}
