import Testing

@testable import GPSDReports

@Suite struct ReportFilterTests {
    private static let log = Array(
        """
        {"class":"VERSION","release":"3.22"}
        12:00:01: {"class":"WATCH"}
        $GPGGA,{"clas{"class":"TPV"}
        {"cl
        $GPRMC
        {"class"
        """.utf8)
    private static let expected = "\n12:00:01: \n$GPGGA,{\"clas\n{\"cl\n$GPRMC\n{\"class\""

    @Test(arguments: 1...log.count)
    func `reports are removed, whatever the pieces, and nothing else`(size: Int) {
        var filter = ReportFilter()
        var result: [UInt8] = []
        for start in stride(from: 0, to: Self.log.count, by: size) {
            result += filter.filter(Self.log[start..<min(start + size, Self.log.count)])
        }
        result += filter.finish()
        #expect(String(decoding: result, as: UTF8.self) == Self.expected)
    }
}
