import Foundation

/// The folders of the package that the tests compile from.
enum Folder {
    static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    static let shim = tests.appending(path: "../../Sources/System/CGPSD").standardizedFileURL.path
    static let headers = tests.appending(path: "Headers").path
    static let programs = tests.appending(path: "Programs").path
}
