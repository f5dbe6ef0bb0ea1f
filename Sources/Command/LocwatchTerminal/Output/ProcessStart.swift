import Glibc

/// The descriptors 0, 1 and 2.
package enum StandardDescriptors {
    /// Occupies standard descriptors that were closed at the start of the program with ones that fail.
    ///
    /// Otherwise the next descriptor that the program opens would become its input or output.
    package static func occupyAll() {
        for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(number, F_GETFD) < 0 {
            // The wrong mode makes any use fail as if the descriptor was closed. The lowest free number is this one,
            // because those below it are occupied.
            _ = open("/dev/null", mode)
        }
    }
}

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
