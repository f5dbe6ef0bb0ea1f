import LocationGPSD

@main struct Main {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: tracker FILE.gpx")
            return
        }
        let tracker = Tracker(path: CommandLine.arguments[1])
        try await untilTerminated { _ = try await tracker.run(GPSDLocationSource()) }
    }
}
