import CGPSD
import Glibc
import TestSupport
import Testing

/// The reason why lines do not go through libgps: its decoder never returns from some of them.
@Suite struct UnpackTests {
    private static let isDebian12 = locwatch_gps_library_release().map { String(cString: $0) } == "3.22"

    private static func devices(_ count: Int) -> String {
        let list = (1...count).map { #"{"class":"DEVICE","path":"/dev/ttyACM\#($0)"}"# }
        return #"{"class":"DEVICES","devices":[\#(list.joined(separator: ","))]}"#
    }

    @Test(
        .enabled(if: isDebian12, "a later libgps may have fixed this"),
        arguments: [
            (#"{"class":"TPV","mode":3}"#, 0),
            (devices(4), 0),
            (devices(5), SIGKILL),
            (#"{"x":[1],"class":"TPV"}"#, SIGKILL),
        ] as [(String, Int32)])
    func `gps_unpack of libgps 3.22 never returns from some lines`(line: String, status: Int32) throws {
        let scratch = try Scratch()
        let program = scratch.path("unpack")
        let compiler = try Tool("clang", ["-o", program, "\(Folder.programs)/unpack.c", "-I", Folder.shim, "-lgps"])
        try #require(compiler.status == 0, "\(compiler.errors)")
        #expect(try Tool(program, [line]).status == status)
    }
}
