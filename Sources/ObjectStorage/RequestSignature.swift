import Foundation
import Hashing

/// The signature of a request by AWS Signature Version 4, as S3 wants it: the path is encoded once, and the sum of the
/// body stands in a header of its own.
///
/// It is made here and not by libcurl: its releases differ in what they sort and encode, and it would have to hold the
/// secret.
package struct RequestSignature {
    private let credentials: Credentials
    private let region: String
    private let time: Int

    /// A signature by a key for a region, at a moment in seconds since 1970.
    package init(credentials: Credentials, region: String, time: Int) {
        self.credentials = credentials
        self.region = region
        self.time = time
    }

    /// The parts of a request that are signed.
    package struct Request {
        package var method: String
        /// The host, with its port where that is not the scheme's.
        package var host: String
        /// The path as it is sent, percent-encoded, with its first slash.
        package var path: String
        /// The names and values of the query, not encoded.
        package var query: [(name: String, value: String)] = []
        /// Further headers that are signed.
        package var headers: [(name: String, value: String)] = []
        /// The SHA-256 of the body.
        package var bodySum: String

        package init(
            method: String, host: String, path: String, query: [(name: String, value: String)] = [],
            headers: [(name: String, value: String)] = [], bodySum: String
        ) {
            self.method = method
            self.host = host
            self.path = path
            self.query = query
            self.headers = headers
            self.bodySum = bodySum
        }
    }

    /// The SHA-256 of no bytes.
    static let emptySum = sha256([UInt8]())

    /// The query as it is signed and sent: sorted by its encoded names, then by values.
    package static func query(_ query: [(name: String, value: String)]) -> String {
        query.map { (percentEncoded($0.name), percentEncoded($0.value)) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// The headers to send beside those of the request: the time, the sum, the token and the signature.
    package func headers(of request: Request) -> [(name: String, value: String)] {
        var own = [("x-amz-content-sha256", request.bodySum), ("x-amz-date", stamp)]
        if let token = credentials.sessionToken { own.append(("x-amz-security-token", token)) }
        let signed =
            (request.headers.map { ($0.name.lowercased(), Self.collapsed($0.value)) } + own
            + [("host", request.host)]).sorted { $0.0 < $1.0 }
        let names = signed.map(\.0).joined(separator: ";")
        let canonical = [
            request.method, request.path, Self.query(request.query),
            signed.map { "\($0.0):\($0.1)\n" }.joined(), names, request.bodySum,
        ].joined(separator: "\n")
        let scope = "\(stamp.prefix(8))/\(region)/s3/aws4_request"
        let toSign = "AWS4-HMAC-SHA256\n\(stamp)\n\(scope)\n\(sha256(Array(canonical.utf8)))"
        let signature = hexadecimal(Self.sum(of: toSign, key: signingKey))
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names), "
            + "Signature=\(signature)"
        return own.map { (name: $0.0, value: $0.1) } + [(name: "Authorization", value: authorization)]
    }

    private var signingKey: [UInt8] {
        let day = Self.sum(of: String(stamp.prefix(8)), key: Array("AWS4\(credentials.secret)".utf8))
        let place = Self.sum(of: region, key: day)
        return Self.sum(of: "aws4_request", key: Self.sum(of: "s3", key: place))
    }

    private static func sum(of text: String, key: [UInt8]) -> [UInt8] {
        var sum = HMACSum(key: key)
        sum.update(Array(text.utf8))
        return sum.bytes
    }

    /// The value of a header without spaces around it, and with one where several stood.
    private static func collapsed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }

    /// The moment as `20261127T191500Z`.
    private var stamp: String {
        let day = time.quotient(by: 86400)
        let second = time - day * 86400
        let date = CivilDate(daysSince1970: day)
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return digits(date.year, 4) + digits(date.month) + digits(date.day) + "T" + digits(second / 3600)
            + digits(second / 60 % 60) + digits(second % 60) + "Z"
    }
}

/// A day of the Gregorian calendar.
private struct CivilDate {
    let year: Int, month: Int, day: Int

    /// The day so many days after 1 January 1970. The reckoning is in years that begin with March, 400 at a time.
    init(daysSince1970 days: Int) {
        let fromMarch = days + 719_468
        let era = fromMarch.quotient(by: 146_097)
        let dayOfEra = fromMarch - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension Int {
    /// The quotient rounded down; the divisor is above 0.
    fileprivate func quotient(by divisor: Int) -> Int { self >= 0 ? self / divisor : (self - divisor + 1) / divisor }
}
