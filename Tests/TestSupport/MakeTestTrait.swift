import Foundation
package import Testing

/// The part of all tests that this run covers.
package enum Coverage {
    /// Whether it covers all, as that of `make test` does.
    fileprivate static let isWhole = ProcessInfo.processInfo.environment["LOCWATCH_ALL_TESTS"] != nil

    /// Returns the number of generated cases that a test tries, given that of `make test`: a plain `swift test` tries a quarter.
    package static func cases(_ count: Int) -> Int { isWhole ? count : max(1, count / 4) }
}

extension Trait where Self == ConditionTrait {
    /// The trait of what takes so long that `swift test` leaves it out, and says how to run it.
    package static var onlyInMakeTest: Self {
        .enabled(
            if: Coverage.isWhole,
            "takes long, so only `make test` or LOCWATCH_ALL_TESTS=1 runs it")
    }
}
