import Glibc

/// Swift strings as a null-terminated C array of pointers.
enum CStrings {
    /// Calls `body` with the array, which is valid during the call.
    static func with<Answer>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Answer
    ) -> Answer {
        var pointers = strings.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeBufferPointer { array in
            guard let start = array.baseAddress else { preconditionFailure("the array ends with nil") }
            return body(start)
        }
    }
}
