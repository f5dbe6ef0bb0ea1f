import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// The trait of what takes so long that `swift test` leaves it out, and says how to run it.
    package static var onlyInMakeTest: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["LOCWATCH_ALL_TESTS"] != nil,
            "takes long, so only `make test` or LOCWATCH_ALL_TESTS=1 runs it")
    }
}
