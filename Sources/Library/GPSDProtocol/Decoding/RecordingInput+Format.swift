import Glibc
import LocationCore
import LocwatchSupport

extension RecordingInput {
    /// The number of compressed layers that are removed.
    private static let layers = 2

    /// Decides about the format of a regular file, without moving its offset.
    func beginFile(_ descriptor: Int32) throws(LocationError) {
        var bytes = [UInt8](repeating: 0, count: InputFormat.beginning)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { return }
        bytes = Array(bytes.prefix(count))
        guard !bytes.isEmpty || !reading.follows, let format = try format(of: bytes, isAtEnd: !reading.follows) else {
            return try addStage(nil, [])
        }
        if try begin(format, bytes, isRead: false), reading.follows { try addStage(nil, []) }
    }

    /// Examines the next bytes of an input whose format is not decided yet; returns the number of those that are ready.
    func examine(
        _ piece: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer
    ) throws(LocationError) -> Int? {
        let beginning = state.withLock { state in
            state.beginning?.append(contentsOf: piece)
            return state.beginning ?? []
        }
        guard let format = try format(of: beginning, isAtEnd: piece.isEmpty) else { return nil }
        guard try begin(format, beginning, isRead: true) else { return nil }
        state.withLock { $0.pending = beginning[...] }
        guard !beginning.isEmpty else { return try end() }
        return state.withLock { $0.takePending(into: buffer) }
    }

    private func format(of beginning: [UInt8], isAtEnd: Bool) throws(LocationError) -> InputFormat? {
        let format = InputFormat.of(beginning, isAtEnd: isAtEnd, isLive: isLive)
        switch format {
        case .compressed,
            .session where !reading.isLog:
            return format
        case .log, .unrelated, .session:
            if reading.isLog, !beginning.isEmpty {
                return .log(isFamiliar: ReceiverBytes.kind(of: beginning) != nil)
            }
        case nil:
            if reading.isLog { return nil }
        }
        do throws(LocationError) {
            return try isOtherwiseRecognized(beginning, isAtEnd: isAtEnd) ? .session : format
        } catch {
            // A log can have a name that another format requires, but its content decides.
            if case .log = format, InputContent(beginning).hasMessage { return format }
            throw error
        }
    }

    /// Returns whether the recognizer of other formats knows the format, so that the bytes are passed on to it.
    private func isOtherwiseRecognized(_ beginning: [UInt8], isAtEnd: Bool) throws(LocationError) -> Bool {
        if reading.isPlain { return true }
        guard let recognizer = reading.recognizer else { return false }
        if case .other = try recognizer.format(of: beginning, isAtEnd: isAtEnd, named: name) { return true }
        return false
    }

    /// Begins to read a format; returns whether the bytes are delivered as they are.
    ///
    /// - Parameter isRead: Whether the bytes were read, so that they are not read again from the descriptor.
    private func begin(_ format: InputFormat, _ beginning: [UInt8], isRead: Bool) throws(LocationError) -> Bool {
        switch format {
        case .session:
            state.withLock { $0.beginning = nil }
            return true
        case .compressed(let program):
            guard state.withLock({ $0.stages.count }) < Self.layers else {
                throw .notASession(path: name, line: 0, cause: "it is compressed more than \(Self.layers) times")
            }
            try addStage(program, isRead ? beginning : [])
            state.withLock { $0.beginning = [] }
        case .log(let isFamiliar):
            try addLog(beginning, isRead: isRead, isFamiliar: isFamiliar)
            state.withLock { state in
                state.beginning = nil
                state.logBeginning = beginning
            }
        case .unrelated(let kind): throw .notASession(path: name, line: 0, cause: "it is \(kind)")
        }
        return false
    }

    private func addStage(_ program: DecodingProgram?, _ beginning: [UInt8]) throws(LocationError) {
        try ownSource()
        let (source, isFirst) = state.withLock { ($0.output, $0.stages.isEmpty) }
        let stage = try InputStage(
            program, beginning: beginning, source: source,
            follows: isFirst && reading.follows && sourceSize != nil, isExcessive: excess(isLog: false))
        state.withLock { $0.stages.append(stage) }
    }

    /// The limit of the bytes of the next stage, if the first one decompresses the input.
    private func excess(isLog: Bool) -> InputExcess {
        guard let first = state.withLock({ $0.stages.first }) else { return { _ in false } }
        return { [expansion = reading.expansion] bytes in
            expansion.isExceeded(by: bytes, from: first.bytesRead, isLog: isLog)
        }
    }

    /// Starts the decoder of a log.
    private func addLog(_ beginning: [UInt8], isRead: Bool, isFamiliar: Bool) throws(LocationError) {
        let isLog = isFamiliar || reading.isLog
        let unrelated = LocationError.notASession(path: name, line: 0, cause: InputFormat.description(of: beginning))
        guard let decoder = reading.logDecoder else { throw isLog ? .withoutDecoder(name) : unrelated }
        if reading.follows, sourceSize != nil, state.withLock({ $0.stages.isEmpty }) { try addStage(nil, []) }
        try ownSource()
        let source = state.withLock { $0.output }
        do throws(LocationError) {
            let stage = try decoder.start(
                RawLog(
                    beginning: isRead ? beginning : [], source: source, isFamiliar: isFamiliar,
                    isExcessive: excess(isLog: true)))
            state.withLock { $0.stages.append(stage) }
        } catch {
            if case .programMissing = error, !isLog { throw unrelated }
            throw error
        }
    }

    /// Returns 0 at the end of an input that was read to its end, or `nil` while that is not known, and throws otherwise.
    func end() throws(LocationError) -> Int? {
        let (stages, log, hasResult) = state.withLock { ($0.stages, $0.logBeginning, $0.hasResult) }
        // A program that feeds a stage which has given up waits for it, and has not failed.
        let first = stages.lastIndex { $0.hasGivenUp } ?? 0
        for stage in stages[first...] {
            if let pending = stage.pendingEnd {
                state.withLock { $0.awaited = pending }
                return nil
            }
            if let failure = stage.failure(named: name) { throw failure }
        }
        guard let log, !hasResult else { return 0 }
        let decoder = stages.last?.decoder ?? "gpsd"
        let content = InputContent(log)
        if reading.isLog, content.hasReport, !content.hasMessage {
            throw .notARawLog(path: name)
        }
        let part = stages.last?.hasGivenUp == true ? "its first \(RawLog.resultLimit >> 20) MB" : "it"
        let kind = InputFormat.description(of: log)
        let found = InputFormat.isText(log[...]) ? "gpsd found no report" : "\(decoder) decodes nothing"
        throw .notASession(path: name, line: 0, cause: "\(found) in \(part); \(kind)")
    }
}
