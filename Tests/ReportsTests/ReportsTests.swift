import Diagnostics
import FarmProtocol
import Foundation
import Reports
import Scheduling
import Testing

@Suite("Values for people and programs, made of messages") struct ReportsTests {
    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func message() -> Splitreel_Farm_JobReport {
        var message = Splitreel_Farm_JobReport()
        message.job = "abc"
        message.name = "film"
        message.state = .running
        message.priority = 7
        message.output = "/films/a.mp4"
        message.outputs = ["/films/a.mp4"]
        message.frames = 200
        message.framesDone = 50
        message.submitted = 10.5
        message.counts.total = 2
        message.counts.done = 1
        message.framesPerSecond = 12.5
        message.remarks = ["no worker"]
        return message
    }

    @Test func aJobsDocumentHasTheWordsOfStatesAndLeavesOutWhatIsNotThere() throws {
        #expect(
            try text(JobReport(message())) == """
                {"chunks":[],"frames":200,"framesDone":50,"framesPerSecond":12.5,"job":"abc","name":"film",\
                "output":"/films/a.mp4","priority":7,"progress":0.25,"remarks":["no worker"],"state":"running",\
                "submitted":10.5,"warnings":[]}
                """)
    }

    @Test func aJobIsKnownByTheOutputThatItIsMadeFor() throws {
        var message = message()
        #expect(JobReport(message).madeFor == nil && JobReport(message).knownOutput == "/films/a.mp4")
        message.madeFor = "/films/sheet.png"
        #expect(JobReport(message).knownOutput == "/films/sheet.png")
        // Programs are told what is made.
        #expect(try text(JobReport(message)) == text(JobReport(self.message())))
    }

    @Test func aJobsDocumentHasItsOwner() throws {
        var message = message()
        message.owner = "ana@ws7"
        let frame = try Splitreel_Farm_Envelope(.jobReport(message)).frame()
        guard case .jobReport(let read)? = try Splitreel_Farm_Envelope.parse(frame)?.body else {
            Issue.record("no report came back")
            return
        }
        #expect(try text(JobReport(read)).contains(#""name":"film","output":"/films/a.mp4","owner":"ana@ws7""#))
    }

    @Test func aJobsDocumentHasTheBytesOfItsSources() throws {
        var message = message()
        message.bytesNeeded = 3_000_000
        message.bytesFetched = 3_100_000
        message.soundBytesNeeded = 65_536
        let document = try text(JobReport(message))
        #expect(document.contains(#""bytesFetched":3100000,"bytesNeeded":3000000,"#))
        #expect(document.contains(#""soundBytesFetched":0,"soundBytesNeeded":65536"#))
        #expect(try !text(JobReport(self.message())).contains("ytesNeeded"))
    }

    @Test func aJobsDocumentHasWhatItWaitsFor() throws {
        for (reason, word) in [(Splitreel_Farm_JobWait.priority, "priority"), (.UNRECOGNIZED(9), "unknown 9")] {
            var message = message()
            message.waitsFor = reason
            let frame = try Splitreel_Farm_Envelope(.jobReport(message)).frame()
            guard case .jobReport(let read)? = try Splitreel_Farm_Envelope.parse(frame)?.body else {
                Issue.record("no report came back")
                return
            }
            #expect(try text(JobReport(read)).contains("\"waitsFor\":\"\(word)\""))
        }
        #expect(try !text(JobReport(message())).contains("waitsFor"))
        for reason in WaitReason.allCases { #expect(Splitreel_Farm_JobWait(reason).known == reason) }
    }

    @Test func aJobsDocumentHasItsDelay() throws {
        var message = message()
        message.delayedWork = "stitching"
        message.delayedSince = 12.5
        message.delayProblem = Splitreel_Farm_Problem(
            SplitreelError(.diskFull, operation: "writing", subject: "/films/a.mp4", reason: "full"))
        let frame = try Splitreel_Farm_Envelope(.jobReport(message)).frame()
        guard case .jobReport(let read)? = try Splitreel_Farm_Envelope.parse(frame)?.body else {
            Issue.record("no report came back")
            return
        }
        #expect(read == message && read != self.message())
        let document = try text(JobReport(read))
        #expect(document.contains(#""delay":{"error":{"code":20106,"message":"#))
        #expect(document.contains(#""since":12.5,"work":"stitching"}"#))
    }

    @Test func aJobsDocumentHasWhatIsKeptOfIt() throws {
        var message = message()
        message.keptBytes = 1 << 40
        message.keptUntil = 1_800_000_000.5
        let frame = try Splitreel_Farm_Envelope(.jobReport(message)).frame()
        guard case .jobReport(let read)? = try Splitreel_Farm_Envelope.parse(frame)?.body else {
            Issue.record("no report came back")
            return
        }
        #expect(read == message && read != self.message())
        #expect(try text(JobReport(read)).contains(#""kept":{"bytes":1099511627776,"until":1800000000.5}"#))
        // A job that can be retried may have no finished segment.
        message.keptBytes = 0
        #expect(JobReport(message).kept == KeptReport(bytes: 0, until: 1_800_000_000.5))
        #expect(JobReport(self.message()).kept == nil)
    }

    @Test func aPrunesDocumentHasItsJobsAndBytes() throws {
        var message = Splitreel_Farm_JobsPruned()
        message.jobs = ["a", "b"]
        message.bytes = 7
        let frame = try Splitreel_Farm_Envelope(.jobsPruned(message), request: 3).frame()
        // Field 69, wire type 2: 69 << 3 | 2 = 554; in it field 1 twice, and field 2 varint 7.
        #expect(frame.suffix(11) == [0xAA, 0x04, 0x08, 0x0A, 0x01, 0x61, 0x0A, 0x01, 0x62, 0x10, 0x07])
        guard case .jobsPruned(let read)? = try Splitreel_Farm_Envelope.parse(frame)?.body else {
            Issue.record("no answer came back")
            return
        }
        #expect(PruneReport(read) == PruneReport(jobs: ["a", "b"], bytes: 7))
    }

    @Test func aJobsDocumentHasChunksErrorsAndWarnings() throws {
        var message = message()
        message.state = .failed
        message.outputs.append("/films/b.mp4")
        message.ended = 20
        var chunk = Splitreel_Farm_ChunkReport()
        chunk.index = 3
        chunk.kind = .mix
        chunk.state = .cancelled
        chunk.attempt = 2
        chunk.started = 12
        let error = SplitreelError(.decodeFailed, operation: "decoding", subject: "a.mov", reason: "broken")
        chunk.lastProblem = Splitreel_Farm_Problem(error)
        message.problem = Splitreel_Farm_Problem(error)
        message.chunks = [chunk]
        message.notices = [
            Splitreel_Farm_Notice(Notice(.sourceRemark, subject: "/a", reason: "b")),
            Splitreel_Farm_Notice(Notice(.loudnessMeasured, subject: "track 2", reason: "-20.1 LUFS")),
        ]
        let failure = "{\"code\":\(error.code.number),\"message\":\"\(error.oneLine)\"}"
        let document = try text(JobReport(message))
        #expect(
            document.hasPrefix(
                """
                {"chunks":[{"attempt":2,"error":\(failure),"firstFrame":0,"frameCount":0,"framesDone":0,"index":3,\
                "kind":"mix","started":12,"state":"cancelled","worker":""}],"ended":20,"error":\(failure),
                """))
        #expect(document.contains("\"outputs\":[\"/films/a.mp4\",\"/films/b.mp4\"]"))
        #expect(
            document.hasSuffix(
                """
                "warnings":[{"code":\(ErrorCode.sourceRemark.number),"count":1,"message":"media remark: /a: b",\
                "subject":"/a"}]}
                """))
    }

    @Test func settingsAreCalledByTheNamesThatAreGiven() throws {
        let error = SplitreelError(.usage, operation: "", subject: "\(.crf, 60)", reason: "no \(.size)")
        var chunk = ChunkReport(index: 0, kind: .source, state: .failed)
        chunk.error = error
        var report = JobReport(state: .failed)
        report.error = error
        report.chunks = [chunk, ChunkReport(index: 1, kind: .source, state: .done)]
        report.notices = [Notice(.sourceRemark, subject: "/a", reason: "a smaller \(.size)")]
        let told = report.told { "<\($0.rawValue)>" }
        #expect(told.error?.subject == "<crf> 60" && told.chunks.map(\.error?.reason) == ["no <size>", nil])
        #expect(told.notices.map(\.reason) == ["a smaller <size>"] && report.error == error)
    }

    @Test func anOutcomeSaysOfSoundItsSamples() throws {
        var message = message()
        message.state = .completed
        message.ended = 12
        #expect(
            try text(OutcomeReport(JobReport(message))) == """
                {"chunks":{"cached":0,"passthrough":0,"rendered":1,"total":2},"frames":200,"job":"abc",\
                "output":"/films/a.mp4","seconds":1.5,"state":"completed","warnings":[]}
                """)
        message.counts = Splitreel_Farm_ChunkCounts()
        let sound = try text(OutcomeReport(JobReport(message)))
        #expect(sound.contains("\"frames\":0,") && sound.contains("\"samples\":200,"))
        #expect(
            try text(OutcomeReport(state: nil, job: "x", output: "")) == """
                {"chunks":{"cached":0,"passthrough":0,"rendered":0,"total":0},"frames":0,"job":"x","output":"",\
                "seconds":0,"state":"unknown","warnings":[]}
                """)
    }

    /// The place as compilers write it, with a colon in the file's name, too.
    @Test(arguments: [
        ("cut.json:5:43: video.fps", "cut.json", 5, 43), ("a:1:b.json:12:7", "a:1:b.json", 12, 7),
    ])
    func aFailureTellsItsPlace(subject: String, file: String, line: Int, column: Int) throws {
        let error = SplitreelError(.valueWrong, operation: "", subject: subject, reason: "wrong", hint: "write 1")
        let document = try text(FailureReport(error))
        #expect(document.contains("\"column\":\(column),\"file\":\"\(file)\",\"hint\":\"write 1\",\"line\":\(line),"))
        let elsewhere = SplitreelError(.valueWrong, operation: "", subject: "/films/a.mp4, track 1", reason: "wrong")
        #expect(try !text(FailureReport(elsewhere)).contains("\"line\""))
    }

    @Test func loudnessIsToldInNumbersToo() throws {
        var message = message()
        message.state = .completed
        var report = JobReport(message)
        let figures = LoudnessFigures(integrated: -26.84, truePeak: -13.1, reached: -16)
        report.notices = [Notice(.loudnessMeasured, subject: "the sound", reason: figures.words)]
        let document = try text(OutcomeReport(report))
        let expected = #""figures":{"integrated":-26.8,"reached":-16,"truePeak":-13.1},"sound":"the sound"}]"#
        #expect(document.contains(#""loudnessMeasured":[{"# + expected), "\(document)")
    }

    @Test func aWorkersDocument() throws {
        var message = Splitreel_Farm_WorkerReport()
        message.name = "studio"
        message.state = .draining
        message.slots = 2
        message.current = ["abc/0"]
        #expect(
            try text(WorkerReport(message)) == """
                {"current":["abc/0"],"framesPerSecond":0,"name":"studio","processes":[],"remarks":[],"slots":2,\
                "state":"leaving"}
                """)
    }

    @Test func aWorkersProcessesAreTold() throws {
        var process = Splitreel_Farm_WorkerProcess()
        process.host = "node7"
        process.pid = 4711
        process.release = "0.3.0"
        process.since = 12.5
        var message = Splitreel_Farm_WorkerReport()
        message.processes = [process, Splitreel_Farm_WorkerProcess()]
        var workers = Splitreel_Farm_WorkersReport()
        workers.workers = [message]
        let frame = try Splitreel_Farm_Envelope(.workersReport(workers)).frame()
        guard case .workersReport(let read)? = try Splitreel_Farm_Envelope.parse(frame)?.body else {
            Issue.record("no report came back")
            return
        }
        let document = try text(WorkerReport(try #require(read.workers.first)))
        #expect(document.contains(#""processes":[{"host":"node7","pid":4711,"since":12.5,"version":"0.3.0"},{}]"#))
    }

    @Test func numbersOfALaterMinorAreTold() throws {
        var message = message()
        message.state = .UNRECOGNIZED(9)
        message.ending = .UNRECOGNIZED(10)
        message.frames = .max
        var chunk = Splitreel_Farm_ChunkReport()
        chunk.kind = .UNRECOGNIZED(11)
        chunk.state = .UNRECOGNIZED(12)
        message.chunks = [chunk]
        let report = JobReport(message)
        #expect(report.state.word == "unknown 9" && report.state.value == nil && !report.isTerminal)
        #expect(report.ending == .other(10) && report.work.frames == .max)
        let document = try text(report)
        #expect(document.contains("\"kind\":\"unknown 11\"") && document.contains("\"state\":\"unknown 12\""))
        #expect(JobReport(self.message()).ending == nil)
        // A watch of such a job ends all the same.
        message.ended = 1_700_000_009
        #expect(JobReport(message).isTerminal)
    }

    /// JSON has no such numbers, and no calendar such times.
    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func numbersOfPeersMayBeAnything(number: Double) throws {
        var message = message()
        message.framesPerSecond = number
        message.submitted = number
        message.started = number
        message.ended = number
        var chunk = Splitreel_Farm_ChunkReport()
        chunk.started = number
        chunk.ended = number
        message.chunks = [chunk]
        let report = JobReport(message)
        _ = try text(report)
        _ = try text(OutcomeReport(report))
        let times = [report.submitted, report.ended ?? 0, report.chunks[0].started ?? 0]
        #expect(times.allSatisfy { (0..<253_402_300_800).contains($0) })
        var event = Splitreel_Farm_EventReport()
        event.at = number
        #expect((0..<253_402_300_800).contains(EventReport(event).at))
        var worker = Splitreel_Farm_WorkerReport()
        worker.framesPerSecond = number
        var process = Splitreel_Farm_WorkerProcess()
        process.since = number
        process.facts.clockOffset = number
        process.facts.linkRate = number
        worker.processes = [process]
        _ = try text(WorkerReport(worker))
    }
}
