import LocationCore
import TestSupport
import Testing

@testable import GPSDProtocol

@Suite struct EpochFieldsTests {
    private let plain = Location(coordinate: Coordinate(latitude: 45, longitude: 7), fix: .twoD)

    @Test func `a position without the fields that come late has none of them`() {
        #expect(EpochFields(plain) == [])
        #expect(EpochFields(with(plain) { $0[.depth] = 1 }) == [])
    }

    @Test func `each field that can come late is one of its own`() {
        let changes: [(inout Location) -> Void] = [
            { $0.fix = .threeD }, { $0.altitudeMSL = 0 }, { $0.altitudeHAE = 0 }, { $0.horizontalAccuracy = 0 },
            { $0.verticalAccuracy = 0 }, { $0.speed = 0 }, { $0.course = 0 }, { $0.climb = 0 },
            { $0.speedAccuracy = 0 }, { $0.geoidSeparation = 0 }, { $0.heading = 0 },
            { $0.headingMagnetic = 0 }, { $0.pitch = 0 }, { $0.roll = 0 },
            { $0.rateOfTurn = 0 },
        ]
        let fields = changes.map { change in EpochFields(with(plain, change)) }
        #expect(fields.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
        #expect(Set(fields.map(\.rawValue)).count == changes.count)
        // A position with all of them has each.
        let whole = EpochFields(with(plain) { location in for change in changes { change(&location) } })
        #expect(fields.allSatisfy { $0.isSubset(of: whole) } && whole.rawValue.nonzeroBitCount == changes.count)
    }
}
