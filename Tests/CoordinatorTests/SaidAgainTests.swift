import FarmProtocol
import Foundation
import Planning
import Testing

/// A submission that a client says again, since it has not heard the answer.
@Suite("A submission that is said again", .timeLimit(.minutes(2)))
struct SaidAgainTests {
    private func submission(
        _ fixture: Fixture, number: UInt8, film: String = "film.mkv"
    ) throws -> Splitreel_Farm_Submit {
        var message = Splitreel_Farm_Submit()
        message.composition = "{}"
        message.requestJson = try [OutputRequest(path: fixture.folder + "/out/" + film)].requestText()
        message.submission = Data(repeating: number, count: 16)
        return message
    }

    private func say(_ message: Splitreel_Farm_Submit, by peer: FakePeer) async throws -> String {
        try await peer.send(.submit(message), request: 1)
        return try await peer.next { if case .submitted(let answer) = $0 { answer.job } else { nil } }
    }

    @Test func oneJobIsMadeOnAnyConnection() async throws {
        let fixture = try await Fixture()
        let peer = try await FakePeer(fixture.endpoint)
        let other = try await FakePeer(fixture.endpoint)
        let message = try submission(fixture, number: 5)
        let job = try await say(message, by: peer)
        #expect(try await say(message, by: peer) == job)
        #expect(try await say(message, by: other) == job)
        #expect(try await say(try submission(fixture, number: 6, film: "other.mkv"), by: other) != job)
        let jobs = try await peer.jobs().joined().map(\.job)
        #expect(jobs.count == 2 && jobs.contains(job))
        await fixture.end(peer, other)
    }

    @Test func theNextLifeOfACoordinatorKnowsIt() async throws {
        let fixture = try await Fixture()
        let peer = try await FakePeer(fixture.endpoint)
        let job = try await say(try submission(fixture, number: 5), by: peer)
        await fixture.end(peer, keepFolder: true)
        let next = try await Fixture(folder: fixture.folder)
        let other = try await FakePeer(next.endpoint)
        #expect(try await say(try submission(next, number: 5), by: other) == job)
        #expect(try await other.jobs().joined().map(\.job) == [job])
        await next.end(other)
    }
}
