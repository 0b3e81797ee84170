import Diagnostics
import Foundation
import GRDB

extension Schema {
    /// Brings the requests of unfinished jobs into their groups. Jobs whose films do not stand yet end: what was asked
    /// for is not read any more, and their plans have no keys. Whoever takes such a job up cleans up after it. A job
    /// whose films are complete goes on, to see whether they stand in their places, or to move them where its plan is
    /// still read; of its requests that needs the places alone.
    static func groupRequests(_ database: Database) throws {
        let jobs = try Row.fetchAll(
            database,
            sql: """
                SELECT id, request, output, further FROM jobs WHERE state NOT IN ('completed', 'failed', 'cancelled')
                """)
        for job in jobs {
            let id: String = job["id"]
            let paths = [job["output"]] + (try StoredText.decode([String].self, job["further"]) ?? [])
            let earlier = EarlierRequest.all(in: job["request"])
            let requests = paths.enumerated().map { index, path in
                GroupedRequest(path: path, earlier.indices.contains(index) ? earlier[index] : nil)
            }
            try database.execute(
                sql: "UPDATE jobs SET request = ? WHERE id = ?", arguments: [try StoredText.encode(requests), id])
            let error = SplitreelError(
                .versionMismatch, operation: "taking up", subject: id,
                reason: "an earlier release of splitreel took this job, and this one does not read its requests",
                hint: "submit the composition again")
            try database.execute(
                sql: """
                    UPDATE jobs SET outcome = 'failed', error = ? WHERE id = ? AND outcome IS NULL AND film IS NULL
                    """,
                arguments: [try StoredText.encode(error), id])
        }
    }
}

/// The parts of a request of before its groups that say where its film goes.
private struct EarlierRequest: Decodable {
    struct Stream: Codable {
        struct Member: Codable {
            var name: String
            var playlist: String?
            var output: Int
        }

        var kind: String
        var members: [Member]
        var interval: String
    }

    var overwrite: Bool?
    var startNumber: Int?
    var stream: Stream?
    var streamPath: String?

    /// The requests of a column: one, or a list of them; none where it is neither.
    static func all(in text: String) -> [EarlierRequest] {
        let data = Data(text.utf8)
        if let several = try? JSONDecoder().decode([EarlierRequest].self, from: data) { return several }
        return (try? JSONDecoder().decode(EarlierRequest.self, from: data)).map { [$0] } ?? []
    }
}

/// The place of a film as a request with groups says it.
private struct GroupedRequest: Encodable {
    struct Stills: Encodable { var startNumber: Int? }
    struct Part: Encodable {
        enum Content: Encodable { case document(EarlierRequest.Stream) }

        var path: String
        var content: Content
    }

    var path: String
    var overwrite: Bool
    var stills: Stills
    var streamPart: Part?

    init(path: String, _ earlier: EarlierRequest?) {
        self.path = path
        overwrite = earlier?.overwrite ?? false
        stills = Stills(startNumber: earlier?.startNumber)
        streamPart = earlier?.stream.map { Part(path: earlier?.streamPath ?? path, content: .document($0)) }
    }
}
