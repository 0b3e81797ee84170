import Diagnostics
import FarmProtocol
import Scheduling
import Testing

@Suite("Farm protocol")
struct FarmProtocolTests {
    @Test("an envelope carries our version, its request and its body there and back")
    func roundTrip() throws {
        var query = Splitreel_Farm_JobQuery()
        query.job = "j1"
        query.watch = true
        let frame = try Splitreel_Farm_Envelope(.jobQuery(query), request: 77).frame()
        let back = try #require(try Splitreel_Farm_Envelope.parse(frame))
        #expect(back.major == 3 && back.minor == 0 && back.request == 77)
        #expect(back.jobQuery.job == "j1" && back.jobQuery.watch)
    }

    @Test("settings in an error's texts cross as codes and values, with words for who does not know them")
    func settingsInErrors() throws {
        let error = SplitreelError(
            .settingsImpossible, operation: "with \(.strict)", subject: ("\(.channels, 7)" as Phrase).ofSoundTrack(2),
            reason: "\(fact: "picture of 3×3", of: .size) or \(.size, value: .size(3, 4))",
            hint: "\(.leaveOut), say \(.short([5_000_000])) or \(.frameRate, value: .rates(["24", "25"]))")
        let problem = Splitreel_Farm_Problem(error)
        #expect(problem.subject == "sound track 2: channels 7" && problem.error == error)
        #expect(problem.phrases.count == 4 && problem.weight > 2 * problem.hint.utf8.count)
        var later = problem
        later.phrases[1].parts[0].setting = "colour"
        #expect(later.error.subject == "colour 7" && !later.error.subject.namesSettings)
        // A peer of before sends texts alone.
        later.phrases = []
        #expect(later.error.subject == "sound track 2: channels 7")
        let plain = SplitreelError(.usage, operation: "a", subject: "b", reason: "c", hint: "d")
        #expect(Splitreel_Farm_Problem(plain).phrases.isEmpty && Splitreel_Farm_Problem(plain).error == plain)
        let notice = Notice(.sourceRemark, subject: "a", reason: "a smaller \(.size)")
        #expect(Splitreel_Farm_Notice(notice).notice == notice)
    }

    @Test("the bytes on the wire are the ones of farm.proto")
    func wireBytes() throws {
        // Field 1 varint 3, (minor 0 is left out), field 3 varint 5, field 51 (wire type 2: 51 << 3 | 2 = 410) "job".
        let expected: [UInt8] = [0x08, 0x03, 0x18, 0x05, 0x9A, 0x03, 0x05, 0x0A, 0x03, 0x6A, 0x6F, 0x62]
        var query = Splitreel_Farm_JobQuery()
        query.job = "job"
        #expect(try Splitreel_Farm_Envelope(.jobQuery(query), request: 5).frame() == expected)
    }

    @Test("another major is refused with its number, and with the request that it came in")
    func otherMajor() throws {
        // A worker of version 2 knows no content keys. It has major 2 and request 5.
        guard case .otherMajor(2, request: 5) = ReceivedFrame([0x08, 0x02, 0x18, 0x05]) else {
            Issue.record("version 2 is taken")
            return
        }
        // major 9, request 4, nothing else.
        guard case .otherMajor(9, request: 4) = ReceivedFrame([0x08, 0x09, 0x18, 0x04]) else {
            Issue.record("not seen as another major")
            return
        }
        #expect { try Splitreel_Farm_Envelope.parse([0x08, 0x09]) } throws: {
            ($0 as? SplitreelError)?.code == .versionMismatch
        }
        guard case .otherMajor(0, request: 0) = ReceivedFrame([]) else {
            Issue.record("an empty frame has no version")
            return
        }
    }

    @Test("a body of a later minor is ignored, not refused")
    func unknownBody() throws {
        // major 3, minor 9, request 3, field 99 (wire type 2) of one byte.
        let frame: [UInt8] = [0x08, 0x03, 0x10, 0x09, 0x18, 0x03, 0x9A, 0x06, 0x01, 0x00]
        guard case .unknownBody(request: 3) = ReceivedFrame(frame) else {
            Issue.record("not seen as unknown")
            return
        }
        #expect(try Splitreel_Farm_Envelope.parse(frame) == nil)
    }

    @Test(
        "bytes that are not a message are malformed",
        arguments: [
            [0xFF, 0xFF, 0xFF, 0xFF], Array("GET / HTTP/1.1\r\n\r\n".utf8), [0x08],
            [UInt8](repeating: 0, count: (1 << 20) + 1),
        ])
    func malformed(_ frame: [UInt8]) {
        #expect { try Splitreel_Farm_Envelope.parse(frame) } throws: {
            ($0 as? SplitreelError)?.code == .malformedMessage
        }
    }

    @Test("a message that no peer would take is not made")
    func tooLarge() {
        var submit = Splitreel_Farm_Submit()
        submit.composition = String(repeating: "x", count: 1 << 20)
        #expect { try Splitreel_Farm_Envelope(.submit(submit)).frame() } throws: {
            ($0 as? SplitreelError)?.code == .malformedMessage
        }
    }

    @Test("an error survives the wire, with a number that nobody knows too")
    func problems() {
        let error = SplitreelError(
            ErrorCode(29999), operation: "decode", subject: "a.mp4", reason: "broken", hint: "mend it")
        #expect(SplitreelError(Splitreel_Farm_Problem(error)) == error)
        let foreign = Splitreel_Farm_Problem(any: CancellationError(), operation: "rendering").error
        #expect(foreign.code == .internalFault && foreign.operation == "rendering")
        #expect(Splitreel_Farm_Problem(any: error, operation: "x").error == error)
    }

    @Test("an attempt's numbers go there and back; none and half of one are none")
    func holdingsOnTheWire() {
        let holding = Holding(job: "j", task: 3, epoch: 2, lease: LeaseID(high: 1, low: 2))
        #expect(Holding(holding.wire) == holding)
        #expect(holding.wire.lease.count == 16)
        #expect(Holding(Splitreel_Farm_Holding()) == nil)
        #expect(Holding(Splitreel_Farm_Holding(job: "", task: 3, epoch: 2, lease: holding.lease.bytes)) == nil)
        #expect(Holding(Splitreel_Farm_Holding(job: "j", task: 3, epoch: 2, lease: [1, 2])) == nil)
    }

    @Test("every state and kind goes there and back; numbers of a later minor are none of ours")
    func states() throws {
        for state in JobState.allCases { #expect(Splitreel_Farm_JobState(state).known == state) }
        for kind in TaskClass.allCases { #expect(Splitreel_Farm_ChunkKind(kind).known == kind) }
        for condition in [SlotEntry.Condition.idle, .rendering, .draining] {
            #expect(Splitreel_Farm_WorkerState(condition).known == condition)
        }
        #expect(Splitreel_Farm_ChunkState(.verifying) == .verifying && Splitreel_Farm_ChunkState(nil) == .cancelled)
        #expect(Splitreel_Farm_JobState(nil) == .unspecified)
        var report = Splitreel_Farm_JobReport()
        report.state = .completed
        #expect(report.isTerminal)
        report.state = .UNRECOGNIZED(99)
        let envelope = try #require(
            try Splitreel_Farm_Envelope.parse(try Splitreel_Farm_Envelope(.jobReport(report)).frame()))
        #expect(envelope.jobReport.state == .UNRECOGNIZED(99) && envelope.jobReport.state.known == nil)
        #expect(!envelope.jobReport.isTerminal)
    }
}
