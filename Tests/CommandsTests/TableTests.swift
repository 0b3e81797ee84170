import Diagnostics
import FarmProtocol
import MediaTime
import Reports
import Scheduling
import SplitreelCommands
import Testing

@Suite("Tables, times and rates for people") struct TableTests {
    @Test func columnsAreAlignedByWhatTheyTake() {
        var table = TextTable([.init("NAME"), .init("N", .right), .init("END")])
        table.add(["a", "1", "x"])
        table.add(["名前", "100", "y"], note: "why")
        table.add(["e\u{301}\u{1B}[2J", "22", ""])
        let lines = table.lines.map { Paint.terminal($0, colour: false) }
        #expect(
            lines == [
                "NAME          N  END", "a             1  x", "名前        100  y", "    why",
                "e\u{301}\\u{1B}[2J   22",
            ])
    }

    @Test func jobsHaveHeadersAndTheReasonOfAFailure() {
        var running = JobReport(job: "abc", state: .running, output: "/films/a.mp4")
        running.work = WorkDone(frames: 300, framesDone: 150, chunks: 2, chunksDone: 1)
        running.framesPerSecond = 29.97
        running.priority = 50
        running.submitted = 1000
        running.owner = "ana@ws7"
        running.started = 1000
        var failed = JobReport(job: "defghijklm", state: .failed, output: "/films/b.mp4")
        failed.error = SplitreelError(
            ErrorCode(20101), operation: "", subject: "clip\u{1B}]0;x.mp4", reason: "broken\npipe")
        let text = Paint.terminal(JobTables.jobs([running, failed], now: 1065), colour: false)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(2) == [
                "JOB         STATE    PRIORITY  OWNER    SUBMITTED             DONE   FRAMES  CHUNKS      RATE  LEFT  "
                    + "ELAPSED  OUTPUT",
                "abc         running        50  ana@ws7  1970-01-01T00:16:40Z  50 %  150/300     1/2  30.0 fps  0:05  "
                    + "   1:05  /films/a.mp4",
            ])
        #expect(lines[2].hasPrefix("defghijklm  failed          0") && lines[2].hasSuffix("  /films/b.mp4"))
        #expect(lines[3].hasPrefix("    error 20101: ") && lines[3].hasSuffix("clip\\u{1B}]0;x.mp4: broken\\u{A}pipe"))
        #expect(lines.count == 4)
        let alone = Paint.terminal(JobTables.job(running, now: 1065), colour: false).split(separator: "\n")
        #expect(alone.contains("owner ana@ws7") && !JobTables.job(failed, now: 1065).contains("owner"))
    }

    /// A watch's last line and the table speak of one time: 1078.6 − 1041.4 is 37.2 s.
    @Test func theTimeThatAJobTookIsTheTablesTime() {
        var job = JobReport(job: "abc", state: .completed, output: "/films/a.mp4")
        job.submitted = 1000
        job.started = 1041.4
        job.ended = 1078.6
        #expect(job.timeTaken == "37.2 s, and 41.4 s until the first chunk")
        #expect(JobTables.jobs([job], now: 5000).contains("  0:37  /films/a.mp4"))
        job.submitted = 1041
        #expect(job.timeTaken == "37.2 s")
        job.started = nil
        #expect(job.timeTaken == "37.6 s")
    }

    /// What matters most stays: the job, its state, how far it is and the film. The reason of a failure stays whole.
    @Test func jobsFitIntoEachWindow() {
        var job = JobReport(job: "abc", state: .failed, output: "/films/a-film-of-some-length.mp4")
        job.work = WorkDone(frames: 300, framesDone: 150, chunks: 2, chunksDone: 1)
        job.error = SplitreelError(ErrorCode(20101), operation: "", subject: "clip.mp4", reason: "it is broken")
        for width in 1...150 {
            let text = Paint.terminal(JobTables.jobs([job], now: 1065, width: width), colour: false)
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.count == 3 && lines.prefix(2).allSatisfy { $0.columns <= width }, "\(width)")
            #expect(lines.last?.hasSuffix("it is broken") == true)
        }
        let narrow = Paint.terminal(JobTables.jobs([job], now: 1065, width: 60), colour: false)
        #expect(narrow.hasPrefix("JOB  STATE   DONE") && narrow.contains("/films/a-film-of-some-length.mp4"))
    }

    /// 1000 s after the beginning of 1970 are 00:16:40.
    @Test func aDelayIsTold() {
        var job = JobReport(job: "abc", state: .running, output: "/films/a.mp4")
        job.delay = DelayReport(
            work: "stitching", since: 1000,
            error: SplitreelError(.diskFull, operation: "", subject: "/films/a.mp4", reason: "no space left"))
        let sentence = "stitching waits since 1970-01-01T00:16:40Z and is tried again: error 20106: "
        for text in [JobTables.jobs([job], now: 1065), JobTables.job(job, now: 1065)] {
            #expect(text.contains(sentence) && text.contains("no space left"))
        }
    }

    @Test func aJobThatIsPlannedOrWaitsForOthersSaysSo() {
        var job = JobReport(job: "abc", state: .waiting, output: "/films/a.mp4")
        job.waitsFor = .known(.planning)
        let planned = Paint.terminal(JobTables.jobs([job], now: 0), colour: false).split(separator: "\n")
        #expect(planned.count == 2 && planned[1].hasPrefix("abc  planning "))
        #expect(JobTables.job(job, now: 0).contains("planning: its media are looked at"))
        var starved = JobReport(job: "def", state: .running, output: "/films/b.mp4")
        starved.waitsFor = .known(.priority)
        for text in [JobTables.jobs([starved], now: 0), JobTables.job(starved, now: 0)] {
            #expect(text.contains("\n") && text.contains("waiting: jobs of a higher priority have the slots"))
        }
        let bars = ProgressText.lines(starved, JobProgress(starved, now: 0), width: 80)
        #expect(bars.contains("waiting: jobs of a higher priority have the slots"))
        starved.waitsFor = nil
        #expect(!JobTables.jobs([starved], now: 0).contains("waiting"))
        starved.remarks = ["worker w gets none of it: error 20002"]
        #expect(JobTables.jobs([starved], now: 0).hasSuffix("waiting: worker w gets none of it: error 20002"))
    }

    /// 1.8e9 s after the beginning of 1970 it is the 15th of January 2027.
    @Test func whatIsKeptOfAFailedJobIsTold() {
        var job = JobReport(job: "abc", state: .failed, output: "/films/a.mp4")
        job.kept = KeptReport(bytes: 3 << 30, until: 1_800_000_000)
        let text = JobTables.job(job, now: 1065)
        #expect(text.contains("3.0 GiB of finished work are kept until 2027-01-15T08:00:00Z: `splitreel retry abc`"))
        job.kept?.bytes = 0
        #expect(JobTables.job(job, now: 1065).contains("it can be retried until 2027-01-15T08:00:00Z"))
        job.kept = nil
        #expect(!JobTables.job(job, now: 1065).contains("retry"))
    }

    /// What a command has made for it is told by the command's own output.
    @Test func whatIsMadeForACommandHasTheCommandsName() {
        var job = JobReport(job: "abc", state: .completed, output: "/films/.sheet.png.splitreel-o5r69s2i/frames.mov")
        job.name = "sheet.png"
        func texts() -> [String] { [JobTables.jobs([job], now: 0), JobTables.job(job, now: 0)] }
        // A folder's name proves nothing.
        #expect(texts().allSatisfy { $0.contains(job.output) })
        job.madeFor = "/elsewhere/sheet.png"
        #expect(texts().allSatisfy { $0.contains("/elsewhere/sheet.png") && !$0.contains("splitreel-") })
    }

    @Test func aJobsChunksAndWorkersHaveHeaders() {
        var job = JobReport(job: "abc", state: .cancelled, output: "/films/a.mp4")
        job.work = WorkDone(frames: 200, framesDone: 130, chunks: 2, chunksDone: 1)
        var done = ChunkReport(index: 0, kind: .source, state: .done)
        done.attempt = 1
        done.worker = "w/1-x"
        done.frameCount = 100
        done.framesDone = 100
        done.started = 10
        done.ended = 12.4
        var open = ChunkReport(index: 1, kind: .source, state: .cancelled)
        open.firstFrame = 100
        open.frameCount = 100
        job.chunks = [done, open]
        #expect(
            Paint.terminal(JobTables.job(job, now: 0), colour: false) == """
                job abc  cancelled 65 %  frame 130/200  chunks 1/2
                output /films/a.mp4
                CHUNK  KIND    STATE      TRY   DONE  FRAMES   TIME  WORKER
                    0  source  done         1  100 %  0…99     0:02  w/1
                    1  source  cancelled         0 %  100…199
                """)
    }

    /// 1000 s after the beginning of 1970 are 00:16:40.
    @Test func workersHaveTheirProcesses() {
        var worker = WorkerReport(name: "studio", state: .rendering, slots: 2, current: ["abc/0"])
        worker.processes = [
            .init(host: "a\u{1B}[2J", pid: 71, version: "0.3.0", since: 2000),
            .init(host: "b", pid: 8, version: "0.3.0", since: 1000),
        ]
        let text = Paint.terminal(JobTables.workers([worker]), colour: false)
        #expect(
            text == """
                WORKER  STATE      SLOTS  RATE  HOST          PID   VERSION  SINCE                 CHUNKS IN HAND
                studio  rendering      2        a\\u{1B}[2J b  71 8  0.3.0    1970-01-01T00:16:40Z  abc/0
                """)
        worker.processes = []
        let bare = Paint.terminal(JobTables.workers([worker]), colour: false).split(separator: "\n")
        #expect(bare.count == 2 && bare[1].hasPrefix("studio  rendering      2  ") && bare[1].hasSuffix("  abc/0"))
        worker.processes = (1...5).map { .init(host: "node\($0)") }
        #expect(JobTables.workers([worker]).contains("node1 node2 node3 and 2 more"))
    }

    /// The worker, its state and the chunks in hand stay; since when it is there goes first.
    @Test func workersFitIntoEachWindow() {
        var worker = WorkerReport(name: "studio", state: .idle, slots: 2, current: ["abc/0"])
        worker.processes = [.init(host: "studio", pid: 71, version: "0.3.0", since: 1000)]
        for width in 1...120 {
            let text = Paint.terminal(JobTables.workers([worker], width: width), colour: false)
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.count == 2 && lines.allSatisfy { $0.columns <= width }, "\(width)")
        }
        let narrow = Paint.terminal(JobTables.workers([worker], width: 66), colour: false)
        #expect(narrow.contains("PID") && narrow.contains("VERSION") && !narrow.contains("SINCE"))
        let narrower = Paint.terminal(JobTables.workers([worker], width: 50), colour: false)
        #expect(narrower.hasPrefix("WORKER  STATE  SLOTS  RATE  PID  CHUNKS IN HAND"))
    }

    @Test func aFarmsHealthIsATableOfCounters() {
        var message = Splitreel_Farm_CountersReport()
        message.unknownMessages = 1234
        let health = FarmHealth(workers: [], counters: CountersReport(message))
        let lines = Paint.terminal(health.text, colour: false).split(separator: "\n").map(String.init)
        #expect(health.isWell && lines.count == 7 && lines[6] == "no worker is connected")
        #expect(lines[0] == "COUNTER             COUNT  MEANING")
        #expect(lines[2] == "unknown messages    1,234  of a newer release, or not for a coordinator")
        #expect(lines[5] == "late results            0  of attempts that were given up")
    }

    @Test func eventsHaveTheirTimesChunksAndWorkers() {
        var job = JobReport(job: "abc", state: .running)
        job.chunks = [
            ChunkReport(index: 0, kind: .source, state: .done), ChunkReport(index: 1, kind: .audio, state: .done),
        ]
        let events = [
            EventReport(at: 1_700_000_000, text: "submitted"),
            EventReport(at: 1_700_000_001.9, task: 0, worker: "w/1-x", text: "goes back:\nlost w/1-x"),
            EventReport(at: 1_700_003_600, task: 1, text: "done"),
        ]
        #expect(
            Paint.terminal(JobTables.events(events, of: job), colour: false) == """
                TIME                  CHUNK  WORKER  EVENT
                2023-11-14T22:13:20Z                 submitted
                2023-11-14T22:13:21Z      0  w/1     goes back:\\u{A}lost w/1
                2023-11-14T23:13:20Z  sound          done
                """)
    }

    @Test(arguments: [
        ("abc", 3), ("名前", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🎞\u{FE0F}", 2), ("ｆｕｌｌ", 8), ("ｶﾅ", 2), ("", 0), ("한글", 4),
        ("✅", 2), ("█░", 2), ("a\u{200B}b", 2),
    ])
    func columns(text: String, count: Int) {
        #expect(text.columns == count)
        for width in 0...10 { #expect(text.clipped(to: width).columns <= width) }
        #expect(text.padded(to: 12).columns == 12 && text.aligned(to: 12).columns == 12)
    }

    @Test(arguments: [
        (803, 100, "0:08.03"), (241, 25, "0:09.64"), (0, 1, "0:00.00"), (1001, 30000, "0:00.03"),
        (3600, 1, "1:00:00.00"),
        (-5, 2, "-0:02.50"), (119_999, 1000, "2:00.00"), (372_150, 100, "1:02:01.50"),
    ])
    func times(value: Int64, timescale: Int32, text: String) {
        #expect(ForPeople.time(MediaTime(value: value, timescale: timescale)) == text)
    }

    @Test(arguments: [
        (30000, 1001, "29.97 fps"), (25, 1, "25 fps"), (24000, 1001, "23.98 fps"), (25, 2, "12.5 fps"),
        (120, 1, "120 fps"),
    ])
    func rates(numerator: Int, denominator: Int, text: String) {
        #expect(ForPeople.rate(Rational(numerator, denominator)) == text)
    }

    @Test(arguments: [
        (0.0, "0:00"), (59.6, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (1e12, "99:59:59"), (-4, "0:00"), (.nan, ""),
        (.infinity, ""),
    ])
    func clocks(seconds: Double, text: String) {
        #expect(ForPeople.clock(seconds) == text)
    }
}
