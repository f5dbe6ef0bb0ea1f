import Glibc

/// The environment of the process.
package enum ProcessEnvironment {
    package static var variables: [String: String] {
        guard let first = environ as UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? else { return [:] }
        var count = 0
        while first[count] != nil { count += 1 }
        var variables = [String: String](minimumCapacity: count)
        for index in 0..<count {
            // Searching a string for the sign by its characters takes a fifth of the instructions of a start.
            guard let entry = first[index], let sign = strchr(entry, Int32(UInt8(ascii: "="))) else { continue }
            let name = UnsafeRawBufferPointer(start: entry, count: sign - entry)
            variables[String(decoding: name, as: UTF8.self)] = String(cString: sign + 1)
        }
        return variables
    }
}
