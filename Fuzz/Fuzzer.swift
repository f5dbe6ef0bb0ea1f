// Built by Tools/test/fuzz together with the modules that the fuzzers import.

import Glibc

/// A function that checks what an input leads to, and ends the program at a flaw.
typealias Fuzzer = @Sendable (UnsafeBufferPointer<UInt8>) -> Void

/// All fuzzers; the seeds of each are in the folder of its name in `Fuzz/Seeds`.
private let fuzzers: [String: Fuzzer] = [
    "answers": fuzzAnswers, "control": fuzzControl, "corrections": fuzzCorrections, "decoder": fuzzDecoder,
    "fleet": fuzzFleet, "keys": fuzzKeys, "logs": fuzzLogs, "outputs": fuzzOutputs,
    "queue": fuzzQueue, "requests": fuzzRequests, "scripts": fuzzScripts, "tracks": fuzzTracks, "words": fuzzWords,
]

/// The fuzzer that the variable FUZZER names.
private let chosen: Fuzzer = {
    let name = getenv("FUZZER").map { String(cString: $0) } ?? ""
    guard let fuzzer = fuzzers[name] else {
        fatalError("FUZZER must be one of \(fuzzers.keys.sorted().joined(separator: ", "))")
    }
    return fuzzer
}()

/// Passes an input of libFuzzer to the chosen fuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
    return 0
}
