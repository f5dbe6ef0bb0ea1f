extension HTTPTLSFault.Reason {
    /// Returns the reason for which a certificate was refused, by the numbers of OpenSSL (x509_vfy.h).
    static func certificateFault(_ verification: Int) -> HTTPTLSFault.Reason {
        switch verification {
        // libcurl 7.88 and libmosquitto 2.0 compare the name themselves when the chain is right. The result is then 0, or 1
        // for "unspecified".
        case 0, 1, 62: .wrongName
        case 9: .notYetValid
        case 10: .expired
        case 23: .revoked
        default: .untrusted
        }
    }
}
