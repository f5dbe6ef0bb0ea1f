import CGPSD
import Glibc
import Testing

@Suite struct FailureTests {
    @Test(
        arguments: [
            // libgps up to 3.25 sets numbers of its own.
            (-1, .unknown_service, 0), (-2, .unknown_host, 0), (-3, .no_socket, 0), (-4, .no_socket, 0),
            (-5, .no_socket, 0), (-6, .cannot_connect, 0),
            // libgps since 3.27 sets the system's number, or 0.
            (0, .unknown_name, 0), (ECONNREFUSED, .cannot_connect, ECONNREFUSED),
            (EHOSTUNREACH, .cannot_connect, EHOSTUNREACH), (EMFILE, .no_socket, EMFILE),
            (ENOMEM, .out_of_memory, ENOMEM),
        ] as [(Int32, locwatch_gps_cause, Int32)])
    func `the cause of a failed open is derived from the errno of each release`(
        error: Int32, cause: locwatch_gps_cause, systemError: Int32
    ) {
        let failure = locwatch_gps_failure_of(error)
        #expect(failure.cause == cause)
        #expect(failure.system_error == systemError)
    }
}
