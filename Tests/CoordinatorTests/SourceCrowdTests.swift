import Coordinator
import Diagnostics
import FarmKeys
import FarmProtocol
import Foundation
import Hashing
import Logging
import MediaFacts
import Outputs
import Planning
import Scheduling
import Testing
import Threads
import Transport

/// Films of text whose plan reads one file more.
private struct FilmOfAFile: MediaWork {
    let film = FakeMediaWork(chunks: 1, hasSound: false)
    let asset: AssetFacts

    func plan(composition: String, requests: [OutputRequest], access: MediaAccess) throws -> PlannedFilm {
        var planned = try film.plan(composition: composition, requests: requests, access: access)
        planned.plan.assets = ["a": asset]
        return planned
    }

    func writeIndexes(of plan: RenderPlan, in folder: String, access: MediaAccess) {}

    func parameterSets(of plan: RenderPlan, stop: WorkStop) -> String? { nil }

    func verify(
        segment path: String, record: SegmentRecord, plan: RenderPlan, task: Int?, reference: SegmentRecord?,
        stop: WorkStop
    ) throws {
        try film.verify(segment: path, record: record, plan: plan, task: task, reference: reference, stop: stop)
    }

    func stitcher(
        plan: RenderPlan, path: String, segments: String, isBeside: Bool, stop: WorkStop, began: () -> Void
    ) throws -> any FilmStitching {
        try film.stitcher(
            plan: plan, path: path, segments: segments, isBeside: isBeside, stop: stop, began: began)
    }

    func check(film path: String, plan: RenderPlan, stop: WorkStop) throws {
        try film.check(film: path, plan: plan, stop: stop)
    }
}

/// A coordinator with one sparse source of 10 GB, which a worker with a lease may read.
private struct SparseFarm {
    let folder: String
    let coordinator: Coordinator
    let source: String
    let slot: FakePeer
    let client: FakePeer
    let dataEndpoint: String
    let job: String

    static let size: Int64 = 10_737_418_240

    /// The worker's link to the farm.
    let link: LinkSecurity

    /// With keys, if they are wanted: then all is encrypted.
    init(isKeyed: Bool = false) async throws {
        folder = try Fixture.folder()
        source = folder + "/sparse.bin"
        guard FileManager.default.createFile(atPath: source, contents: nil), truncate(source, Int(Self.size)) == 0
        else { throw FakePeer.NothingCame() }
        let digits = String(repeating: "0", count: 64)
        let asset = AssetFacts(
            kind: .data, path: source, byteCount: Self.size, edgeHash: digits, contentSum: digits)
        var limits = Limits()
        Fixture.waitLong(&limits)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = CoordinatorConfiguration(
            endpoint: "tcp://127.0.0.1:0", dataDirectory: folder + "/data", logger: logger, limits: limits,
            mediaWork: FilmOfAFile(asset: asset))
        var links: [String: LinkSecurity] = [:]
        if isKeyed {
            links = try KeyedFarm.makeKeys(["w": .worker, "ana": .submit], dataFolder: folder + "/data").links
            configuration.gate = try KeyGate(dataFolder: folder + "/data")
        }
        link = links["w"] ?? .open
        coordinator = try Coordinator(configuration: configuration)
        let endpoint = try await coordinator.start()
        slot = try await FakePeer(endpoint, security: link)
        client = try await FakePeer(endpoint, security: links["ana"] ?? .open)
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let welcome = try await slot.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        dataEndpoint = welcome.dataEndpoint
        job = try await client.submit(OutputRequest(path: folder + "/out/film.mkv"))
        _ = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
    }

    func end() async {
        await slot.end()
        await client.end()
        await coordinator.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// The long form takes half a minute: `SPLITREEL_ATTACK=full`.
private enum CrowdScale {
    static let isFull = ProcessInfo.processInfo.environment["SPLITREEL_ATTACK"] == "full"
}

/// Many workers that read one large source at once. The long form is `make attack`.
@Suite("Crowds at a source", .serialized, .timeLimit(.minutes(10))) struct SourceCrowdTests {
    private static let mebibyte: Int64 = 1_048_576
    /// The bytes that a slow reader reads, a quarter of a MiB a second.
    private static let slowBytes = CrowdScale.isFull ? 8 * mebibyte : mebibyte

    /// The process's resident memory in MiB, and the most that it has had since `forgetPeak`.
    private static func memory(_ key: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
        let number = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return (number ?? 0) / 1024
    }

    private static func forgetPeak() { try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

    /// Coordinator and clients are in this process, so its growth is more than the coordinator's.
    @Test func aCrowdLeavesMemoryAndAnswersAlone() async throws {
        let farm = try await SparseFarm()
        let (quick, slow) = CrowdScale.isFull ? (56, 8) : (6, 2)
        let ranges = CrowdScale.isFull ? 40 : 4
        Self.forgetPeak()
        let before = Self.memory("VmRSS:")
        let asked = ContinuousClock.now
        let (bytes, answers) = try await withThrowingTaskGroup(
            of: Int64.self, returning: (Int64, [Double]).self
        ) { group in
            for number in 0..<(quick + slow) {
                group.addTask { try await Self.read(farm, number, ranges: ranges, isSlow: number >= quick) }
            }
            let answers = try await Self.questions(farm.client, for: .seconds(CrowdScale.isFull ? 30 : 3))
            var sum: Int64 = 0
            for try await part in group { sum += part }
            return (sum, answers)
        }
        let seconds: Double = (ContinuousClock.now - asked) / Duration.seconds(1)
        let grown = Self.memory("VmHWM:") - before
        let slowest = answers.sorted()[answers.count * 99 / 100]
        print(
            "\(quick) quick and \(slow) slow readers: \(bytes / Self.mebibyte) MiB in \(seconds) s, "
                + "\(Int(grown)) MiB more memory, \(answers.count) answers, p99 \(slowest * 1000) ms")
        let wanted = Int64(quick * ranges) * 4 * Self.mebibyte + Int64(slow) * Self.slowBytes
        #expect(bytes == wanted)
        // Other suites run beside the short form: the memory and the time are theirs too.
        #expect(!CrowdScale.isFull || grown < 128)
        #expect(!CrowdScale.isFull || slowest < 0.1)
        await farm.end()
    }

    /// One reader reads ranges of 4 MiB, or one range slowly; the number of bytes.
    private static func read(_ farm: SparseFarm, _ number: Int, ranges: Int, isSlow: Bool) async throws -> Int64 {
        let peer = try await DataPeer(farm.dataEndpoint)
        var sum: Int64 = 0
        for range in 0..<(isSlow ? 1 : ranges) {
            let place = Int64((number * 131 + range * 977) % 2500) * 4 * mebibyte
            sum += try await peer.pull(
                .source(farm.source), job: farm.job, slot: "w/1", from: place, count: isSlow ? slowBytes : 4 * mebibyte,
                isSlow: isSlow)
        }
        await peer.end()
        return sum
    }

    /// The seconds that each answer took.
    private static func questions(_ client: FakePeer, for length: Duration) async throws -> [Double] {
        let end = ContinuousClock.now + length
        var took: [Double] = []
        while ContinuousClock.now < end || took.count < 100 {
            let asked = ContinuousClock.now
            try await client.send(.workersQuery(.init()), request: 7)
            _ = try await client.next { if case .workersReport(let report) = $0 { report } else { nil } }
            took.append((ContinuousClock.now - asked) / Duration.seconds(1))
        }
        return took
    }

    /// The map of its blocks takes 10 GB of reading, which ends with the job.
    @Test func aSourceIsNotReadForACancelledJob() async throws {
        let farm = try await SparseFarm()
        let peer = try await DataPeer(farm.dataEndpoint)
        let stream = try await peer.ask(.blockMap(farm.source), job: farm.job, slot: "w/1")
        // Time enough to begin, and not to come to an end.
        try await Task.sleep(for: .milliseconds(300))
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = farm.job
        try await farm.client.send(.cancelJob(cancel), request: 5)
        do {
            _ = try await peer.piece(of: stream)
            Issue.record("it comes")
        } catch {
            // Whoever reads all of it finds that it is not the file that was planned with.
            // On a busy machine the question may come after the job's end.
            let code = try #require((error as? SplitreelError)?.code)
            #expect([ErrorCode.cancelled, .refused].contains(code))
        }
        await peer.end()
        await farm.end()
    }

    /// Without keys and hashing, beside the bytes that a plain TCP connection moves in this process. The reader never
    /// asks for anything again: it ends only if each piece is sent, also where the socket was full.
    @Test func oneStreamBesideTCP() async throws {
        let farm = try await SparseFarm()
        let count = (CrowdScale.isFull ? 2048 : 512) * Self.mebibyte
        let isWarm = await onThread { Self.warm(farm.source, count: Int(count)) }
        #expect(isWarm)
        let peer = try await DataPeer(farm.dataEndpoint)
        let asked = ContinuousClock.now
        let came = try await peer.pull(.source(farm.source), job: farm.job, slot: "w/1", from: 0, count: count)
        let took: Double = (ContinuousClock.now - asked) / Duration.seconds(1)
        let ours = Double(came) / took / 1e9
        let plain = await onThread { PlainStream.gigabytesPerSecond(bytes: Int(count)) }
        print("one stream on loopback: \(ours) GB/s, plain TCP \(plain) GB/s")
        #expect(came == count)
        // Other suites run beside the short form, and the time is theirs too.
        #expect(!CrowdScale.isFull || (ours >= 0.5 && plain >= 0.5 && ours >= 0.5 * plain))
        await peer.end()
        await farm.end()
    }

    /// Under keys, and hashed by the reader: bytes of a sparse file, which are all 0.
    @Test func oneStreamUnderKeys() async throws {
        let farm = try await SparseFarm(isKeyed: true)
        let count = (CrowdScale.isFull ? 2048 : 256) * Self.mebibyte
        let isWarm = await onThread { Self.warm(farm.source, count: Int(count)) }
        #expect(isWarm)
        let peer = try await DataPeer(farm.dataEndpoint, security: farm.link)
        let asked = ContinuousClock.now
        let came = try await peer.pullHashed(
            .source(farm.source), job: farm.job, slot: "w/1", from: 0, count: count)
        let took: Double = (ContinuousClock.now - asked) / Duration.seconds(1)
        let ours = Double(came.count) / took / 1e9
        print("one stream under keys, hashed: \(ours) GB/s")
        var zeros = SHA256Sum()
        let piece = [UInt8](repeating: 0, count: Int(Self.mebibyte))
        for _ in 0..<count / Self.mebibyte { zeros.update(piece) }
        #expect(came.count == count && came.sum == zeros.text)
        #expect(!CrowdScale.isFull || ours >= 0.5)
        await peer.end()
        await farm.end()
    }

    /// Reads the first bytes of a file, so that the kernel need not make pages of zeros while others are timed.
    private static func warm(_ path: String, count: Int) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 1_048_576)
        var came = 0
        while came < count {
            let more = pread(file, &buffer, buffer.count, came)
            guard more > 0 else { return false }
            came += more
        }
        return true
    }
}

/// Bytes over a TCP connection on loopback, by the system's calls alone.
private enum PlainStream {
    static func gigabytesPerSecond(bytes count: Int) -> Double {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let sender = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, generic, &size) == 0 && connect(sender, generic, size) == 0
            }
        }
        let receiver = accept(listener, nil, nil)
        defer { for descriptor in [listener, sender, receiver] { close(descriptor) } }
        guard isConnected, receiver >= 0 else { return 0 }
        Thread.detachNewThread {
            let piece = [UInt8](repeating: 0, count: 262_144)
            var sent = 0
            while sent < count {
                let written = send(sender, piece, min(piece.count, count - sent), Int32(MSG_NOSIGNAL))
                guard written > 0 else { break }
                sent += written
            }
        }
        var buffer = [UInt8](repeating: 0, count: 262_144)
        let began = ContinuousClock.now
        var came = 0
        while came < count {
            let read = recv(receiver, &buffer, buffer.count, 0)
            guard read > 0 else { return 0 }
            came += read
        }
        let took: Double = (ContinuousClock.now - began) / Duration.seconds(1)
        return Double(came) / took / 1e9
    }
}
