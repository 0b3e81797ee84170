import Diagnostics
import FarmClient
import FarmProtocol
import Foundation
import Synchronization
import Testing

/// A submission whose coordinator goes away before the answer.
@Suite("Submitting over a restart", .timeLimit(.minutes(2)))
struct SubmittingAgainTests {
    typealias Body = Splitreel_Farm_Envelope.OneOf_Body

    private static func answer(
        _ body: Body, to question: Splitreel_Farm_Envelope, link: UInt64
    ) -> [Splitreel_Farm_Envelope] {
        var answer = Splitreel_Farm_Envelope(body, request: question.request)
        answer.link = link
        return [answer]
    }

    private static func submitted(_ job: String) -> Body {
        var submitted = Splitreel_Farm_Submitted()
        submitted.job = job
        return .submitted(submitted)
    }

    private static func taken(_ part: Splitreel_Farm_SubmitPart) -> Body {
        var taken = Splitreel_Farm_PartTaken()
        taken.upload = part.upload
        taken.bytes = part.offset + UInt64(part.content.count)
        return .partTaken(taken)
    }

    private static func submissions(_ received: [Splitreel_Farm_Envelope]) -> [Splitreel_Farm_Submit] {
        received.compactMap { if case .submit(let submit)? = $0.body { submit } else { nil } }
    }

    @Test("it is said again to the next one, as the same submission")
    func submission() async throws {
        let (came, sign) = AsyncStream<Void>.makeStream()
        let first = try FakeCoordinator { _, _ in
            sign.yield()
            return []
        }
        let endpoint = try await first.start()
        let client = try FarmClient(endpoint: endpoint, timeout: .seconds(30))
        async let job = client.submit(composition: "{}", requestJSON: "{}", priority: 1, name: "n")
        for await _ in came { break }
        let said = try #require(Self.submissions(await first.received).first)
        await first.end()
        let second = try FakeCoordinator { envelope, _ in
            switch envelope.body {
            case .submit: Self.answer(Self.submitted("j"), to: envelope, link: 7)
            case .workersQuery: Self.answer(.workersReport(Splitreel_Farm_WorkersReport()), to: envelope, link: 7)
            default: []
            }
        }
        _ = try await second.start(endpoint)
        #expect(try await job == "j")
        let saidAgain = Self.submissions(await second.received)
        #expect(said.submission.count == 16)
        #expect(saidAgain.isEmpty == false && saidAgain.allSatisfy { $0 == said })
        client.close()
        await second.end()
    }

    @Test("two submissions are never the same one")
    func twoSubmissions() async throws {
        let fake = try FakeCoordinator { envelope, _ in Self.answer(Self.submitted("j"), to: envelope, link: 7) }
        let client = try FarmClient(endpoint: try await fake.start())
        for _ in 0..<2 { _ = try await client.submit(composition: "{}", requestJSON: "{}", priority: 1, name: "n") }
        let submissions = Self.submissions(await fake.received)
        #expect(submissions.count == 2 && Set(submissions.map(\.submission)).count == 2)
        client.close()
        await fake.end()
    }

    @Test("a composition in parts is sent again from its first part on")
    func parts() async throws {
        let composition = String(repeating: "0123456789abcdé", count: 150_000)
        let (came, sign) = AsyncStream<Void>.makeStream()
        // Dies over the second part.
        let first = try FakeCoordinator { envelope, _ in
            guard case .submitPart(let part)? = envelope.body else { return [] }
            guard part.offset > 0 else { return Self.answer(Self.taken(part), to: envelope, link: 3) }
            sign.yield()
            return []
        }
        let endpoint = try await first.start()
        let client = try FarmClient(endpoint: endpoint, timeout: .seconds(30))
        async let job = client.submit(composition: composition, requestJSON: "{}", priority: 1, name: "n")
        for await _ in came { break }
        await first.end()
        let known = Mutex<UInt64>(0)
        let second = try FakeCoordinator { envelope, _ in
            switch envelope.body {
            case .submitPart(let part):
                if part.offset == 0 { known.withLock { $0 = part.upload } }
                guard known.withLock({ $0 == part.upload }) else {
                    let error = SplitreelError(
                        .malformedMessage, operation: "submitting", subject: "the composition",
                        reason: "its parts did not come in order")
                    return Self.answer(.problem(Splitreel_Farm_Problem(error)), to: envelope, link: 7)
                }
                return Self.answer(Self.taken(part), to: envelope, link: 7)
            case .submit: return Self.answer(Self.submitted("j"), to: envelope, link: 7)
            case .workersQuery:
                return Self.answer(.workersReport(Splitreel_Farm_WorkersReport()), to: envelope, link: 7)
            default: return []
            }
        }
        _ = try await second.start(endpoint)
        #expect(try await job == "j")
        let received = await second.received
        let submit = try #require(Self.submissions(received).last)
        let parts = received.compactMap { if case .submitPart(let part)? = $0.body { part } else { nil } }
        let whole = parts.filter { $0.upload == submit.upload }.flatMap(\.content)
        #expect(String(decoding: whole, as: UTF8.self) == composition)
        client.close()
        await second.end()
    }
}
