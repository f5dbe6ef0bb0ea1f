import LocationCore
import LocationGPSD
import LocationTesting

// The parts of swift-dependencies that the example in ComingFromCoreLocation.md uses, because this package does not depend on it.
protocol DependencyKey {
    associatedtype Value
    static var liveValue: Value { get }
    static var testValue: Value { get }
    static var previewValue: Value { get }
}

struct DependencyValues {
    private var values: [ObjectIdentifier: any Sendable] = [:]

    subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value where Key.Value: Sendable {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.testValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

enum LocationKey: DependencyKey {
    static let liveValue: any LocationProvider = GPSDLocationSource()
    static let testValue: any LocationProvider = UnusedLocationSource { print($0) }
    static let previewValue: any LocationProvider = ScriptedLocationSource([.location(52.5163, 13.3777)])
}

extension DependencyValues {
    var location: any LocationProvider {
        get { self[LocationKey.self] }
        set { self[LocationKey.self] = newValue }
    }
}
