import CFFmpeg
import Diagnostics
import Foundation
import Libav
import MediaFacts
import MediaReading
import MediaTime
import SplitreelFiles
import Synchronization
import TestTools
import Testing

@Suite("libavformat over a source", .serialized)
struct MediaSourceTests {
    /// Three files of each extension at most.
    private static let files: [Corpus.Row] = {
        var seen: [String: Int] = [:]
        let rows = Corpus.rows("video", "audio", "derived").filter { row in
            let kind = URL(filePath: row.file).pathExtension
            seen[kind, default: 0] += 1
            return seen[kind, default: 0] <= 3
        }
        return Array(rows.prefix(60))
    }()

    @Test(.enabled(if: Corpus.isThere, Corpus.absent), arguments: files)
    func packetsAndIndexesAreThoseOfTheFileItself(_ row: Corpus.Row) throws {
        let expected = try read(row.path) { context, options in
            avformat_open_input(&context, "file:" + row.path, nil, &options)
        }
        let source = try LocalFile(path: row.path)
        let bytes = try InputBytes(source)
        let found = try read(row.path) { context, _ in
            do {
                context = try bytes.open(
                    named: row.path, format: nil, options: InputBytes.options, failure: .mediaCannotOpen)
                return 0
            } catch {
                return -1
            }
        }
        #expect(found == expected)
        #expect(bytes.error == nil)
    }

    @Test func thereAreFilesOfManyKinds() {
        guard Corpus.isThere else { return }
        #expect(Set(Self.files.map { URL(filePath: $0.file).pathExtension }).count >= 8)
        #expect(Self.files.count >= 25)
    }

    private typealias Opening = (inout UnsafeMutablePointer<AVFormatContext>?, inout OpaquePointer?) -> Int32

    /// The file's format, its streams, its packets from the start, those after a seek by time and after one by bytes,
    /// and its index; nil where it cannot be opened.
    private func read(_ path: String, _ open: Opening) throws -> [String]? {
        Libav.prepare()
        var options: OpaquePointer?
        for (key, value) in InputBytes.options { av_dict_set(&options, key, value, 0) }
        defer { av_dict_free(&options) }
        var context: UnsafeMutablePointer<AVFormatContext>?
        guard open(&context, &options) >= 0, let opened = context else { return nil }
        defer { avformat_close_input(&context) }
        var lines = [String(cString: opened.pointee.iformat.pointee.name)]
        lines.append("streams \(avformat_find_stream_info(opened, nil))")
        lines += try packets(opened, most: .max)
        for number in 0..<Int(opened.pointee.nb_streams) {
            guard let stream = opened.pointee.streams[number] else { continue }
            let base = stream.pointee.time_base
            lines.append("\(number): \(base.num)/\(base.den) \(stream.pointee.start_time) \(stream.pointee.duration)")
            let count = avformat_index_get_entries_count(stream)
            lines += (0..<count).compactMap { avformat_index_get_entry(stream, $0)?.pointee }.map {
                "\($0.pos) \($0.timestamp) \($0.flags) \($0.size) \($0.min_distance)"
            }
        }
        let middle = opened.pointee.duration > 0 ? opened.pointee.duration / 2 : 0
        lines.append("by time \(av_seek_frame(opened, -1, middle, AVSEEK_FLAG_BACKWARD))")
        lines += try packets(opened, most: 50)
        lines.append("by bytes \(av_seek_frame(opened, -1, avio_size(opened.pointee.pb) / 3, AVSEEK_FLAG_BYTE))")
        lines += try packets(opened, most: 50)
        return lines
    }

    private func packets(_ context: UnsafeMutablePointer<AVFormatContext>, most: Int) throws -> [String] {
        let packet = try Packet()
        var lines: [String] = []
        while lines.count < most {
            let result = av_read_frame(context, packet.pointer)
            guard result >= 0 else { return lines + ["end \(result)"] }
            let raw = packet.fields
            lines.append(
                "\(raw.stream_index) \(raw.pts) \(raw.dts) \(raw.duration) \(raw.pos) \(raw.size) \(raw.flags) "
                    + "\(packet.sum)")
            packet.clear()
        }
        return lines
    }

    /// A source in memory that answers a few bytes at a time, as a network may, and fails from a place on. Sources of
    /// one name have one identity.
    private final class Dribble: MediaSource {
        let name: String
        let identity: SourceIdentity
        private let bytes: [UInt8]
        /// The place that reading fails from.
        let end: Mutex<Int>
        let rests = Mutex(0)

        init(_ name: String, _ bytes: [UInt8], failsFrom end: Int = .max) {
            self.name = name
            self.bytes = bytes
            self.end = Mutex(end)
            identity = SourceIdentity(token: name, byteCount: bytes.count, mark: nil, change: 0, seconds: 0)
        }

        func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let end = end.withLock { $0 }
            guard place < end else {
                throw SplitreelError(.mediaCannotOpen, operation: "read", subject: name, reason: "the line is dead")
            }
            guard place < bytes.count else { return 0 }
            let count = min(buffer.count, 1 + place % 1000, bytes.count - place, end - place)
            buffer.copyBytes(from: bytes[place..<place + count])
            return count
        }

        func identityNow() throws -> SourceIdentity { identity }
        func rest() { rests.withLock { $0 += 1 } }
    }

    private func film(_ folder: TestFolder, _ name: String) throws -> (path: String, bytes: [UInt8]) {
        let path = folder.file(name)
        try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-c:v", "mpeg4", "-g", "12", path,
        ])
        return (path, [UInt8](try Data(contentsOf: URL(filePath: path))))
    }

    @Test(arguments: ["film.mp4", "film.mkv", "film.avi", "film.ts"])
    func anythingButAFileIsReadAlike(_ name: String) throws {
        let folder = try TestFolder("memory")
        let (path, bytes) = try film(folder, name)
        let source = Dribble(path, bytes)
        var (local, memory) = (try probe(path: path), try probe(source))
        local.mark = nil
        memory.mark = nil
        #expect(memory == local)
        #expect(try decodedFrameCount(source, track: 1) == 50)
        let reader = try VideoReader(source, track: 1)
        let size = try reader.withFrame(at: .zero) { frame, _ in [frame.width, frame.height] }
        #expect(size == [96, 64])
    }

    @Test func aSourceThatFailsIsAnErrorAndIsNotRememberedAsShort() throws {
        let folder = try TestFolder("dead")
        let (path, bytes) = try film(folder, "film.ts")
        #expect(throws: SplitreelError.self) { try probe(Dribble(path + " 1", bytes, failsFrom: 40)) }
        let half = bytes.count / 376 * 188
        let source = Dribble(path + " 2", bytes, failsFrom: half)
        func isDead(_ error: any Error) -> Bool { (error as? SplitreelError)?.reason == "the line is dead" }
        #expect(throws: SplitreelError.self) { try probe(source) }
        #expect { try decodedFrameCount(source, track: 1) } throws: { isDead($0) }
        #expect(isIndexBuilt(of: source) == nil)
        // The same bytes, over a line that is mended, and then cut when the index is known.
        source.end.withLock { $0 = .max }
        #expect(try decodedFrameCount(source, track: 1) == 50)
        source.end.withLock { $0 = half }
        #expect { try decodedFrameCount(source, track: 1) } throws: { isDead($0) }
    }

    /// Damaged files send libavformat anywhere.
    @Test func aPlaceThatNoFileHasIsBehindTheEnd() throws {
        let folder = try TestFolder("far")
        _ = try folder.write(Data([1, 2, 3]), to: "a.bin")
        let bytes = try InputBytes(LocalFile(path: folder.file("a.bin")))
        let far = Int64.max - 100
        #expect(avio_seek(bytes.context, far, SEEK_SET) == far)
        #expect(avio_r8(bytes.context) == 0)
        #expect(avio_seek(bytes.context, 1, SEEK_SET) == 1)
        #expect(avio_r8(bytes.context) == 2)
        // Asked last, so that the bytes live until then.
        #expect(bytes.error == nil)
    }

    @Test func whateverIsReadHasOneDescriptor() throws {
        let folder = try TestFolder("descriptors")
        let (path, _) = try film(folder, "film.mp4")
        var readers: [VideoReader] = []
        for _ in 0..<3 { readers.append(try VideoReader(path: path, track: 1)) }
        for reader in readers { _ = try reader.withFrame(at: .zero) { _, _ in } }
        #expect(descriptors(of: path) == 3)
        readers = []
        #expect(descriptors(of: path) == 0)
        let still = folder.file("still.png")
        try Witness(in: folder).ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=96x64", "-frames:v", "1", still])
        let held = try VideoReader(path: still, track: 1)
        _ = try held.withFrame(at: .zero) { _, _ in }
        #expect(descriptors(of: still) == 0, "a still that is decoded holds no descriptor")
    }

    private func descriptors(of path: String) -> Int {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path }
    }
}
