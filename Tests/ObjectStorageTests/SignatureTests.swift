import Foundation
import ObjectStorage
import TestTools
import Testing

/// The requests that Tests/clusters/s3/signatures.py had botocore sign.
struct SignedCases: Decodable {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let key: String
        let method: String
        let query: [[String]]
        let headers: [[String]]
        let bodySum: String
        let region: String
        let token: String?
        let host: String
        let path: String
        let sentQuery: String
        let date: String
        let contentSum: String
        let authorization: String

        var testDescription: String { "\(method) \(key) \(sentQuery)" }
    }

    let time: Int
    let accessKey: String
    let secret: String
    let bucket: String
    let cases: [Case]

    static let all: SignedCases? = SourceTree.root().flatMap { root in
        let file = URL(fileURLWithPath: root + "/Tests/clusters/s3/signatures.json")
        return try? JSONDecoder().decode(SignedCases.self, from: Data(contentsOf: file))
    }
}

@Suite("Signatures of requests")
struct SignatureTests {
    @Test(arguments: SignedCases.all?.cases ?? [])
    func botocoreSignsAlike(signed: SignedCases.Case) throws {
        let all = try #require(SignedCases.all)
        let signature = RequestSignature(
            credentials: Credentials(accessKey: all.accessKey, secret: all.secret, sessionToken: signed.token),
            region: signed.region, time: all.time)
        let headers = signature.headers(
            of: RequestSignature.Request(
                method: signed.method, host: signed.host, path: signed.path, query: pairs(signed.query),
                headers: pairs(signed.headers), bodySum: signed.bodySum))
        let named = Dictionary(uniqueKeysWithValues: headers.map { ($0.name.lowercased(), $0.value) })
        #expect(named["authorization"] == signed.authorization)
        #expect(named["x-amz-date"] == signed.date && named["x-amz-content-sha256"] == signed.contentSum)
        #expect(named["x-amz-security-token"] == signed.token)
    }

    @Test func thereAreCases() throws { #expect(try #require(SignedCases.all).cases.count > 20) }

    /// botocore orders a query otherwise, and leaves out the equals sign of an empty value. Servers see no difference.
    @Test(arguments: SignedCases.all?.cases ?? [])
    func pathsAndQueriesAreEncodedAlike(signed: SignedCases.Case) throws {
        let all = try #require(SignedCases.all)
        let theirs = signed.sentQuery.split(separator: "&").map { $0.contains("=") ? String($0) : "\($0)=" }.sorted()
        #expect(RequestSignature.query(pairs(signed.query)) == theirs.joined(separator: "&"))
        guard !signed.key.isEmpty else { return }
        let storage = try RemoteStorage(
            RemoteSettings(endpoint: "http://\(signed.host)", region: signed.region, credentials: .anonymous))
        // A key may end with a space, and not with a slash.
        let address = try RemoteAddress.parse("s3://\(all.bucket)/\(signed.key)")
        #expect(try storage.url(of: address) == "http://\(signed.host)\(signed.path)")
    }

    @Test(
        arguments: [
            (0, "19700101T000000Z"), (951_782_400, "20000229T000000Z"), (4_107_542_399, "21000228T235959Z"),
            (4_107_542_400, "21000301T000000Z"), (1_798_761_599, "20261231T235959Z"),
        ])
    func datesAreThoseOfTheCalendar(time: Int, stamp: String) {
        let signature = RequestSignature(
            credentials: Credentials(accessKey: "a", secret: "b"), region: "us-east-1", time: time)
        let headers = signature.headers(of: .init(method: "GET", host: "a", path: "/", bodySum: ""))
        #expect(headers.first { $0.name == "x-amz-date" }?.value == stamp)
    }

    private func pairs(_ lists: [[String]]) -> [(name: String, value: String)] {
        lists.compactMap { $0.count == 2 ? (name: $0[0], value: $0[1]) : nil }
    }
}
