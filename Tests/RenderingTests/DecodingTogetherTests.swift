import Diagnostics
import Dispatch
import Libav
import MediaReading
import MediaTime
import Pictures
import Rendering
import SplitreelFiles
import Synchronization
import TestTools
import Testing

/// Films that one frame shows, decoded on two threads.
@Suite("Films decoded at a time") struct DecodingTogetherTests {
    private static let names = [
        "video/in_bottle-detection.mp4", "tlrender/BART_2021-02-07.m4v", "video/tc_nasa_13013.mp4",
        "video/ax_bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4",
    ]

    private func paths() throws -> [String] { try Self.names.map { try #require(SourceTree.corpusFile($0)) } }

    private func sum(_ reader: VideoReader, at time: Rational) throws -> UInt64? {
        try reader.withFrame(at: time) { frame, _ in
            let picture = Picture(try frame.reference())
            let plane = picture.image.luma
            var sum: UInt64 = 14_695_981_039_346_656_037
            for row in 0..<plane.height {
                let bytes = UnsafeRawBufferPointer(start: plane.base + row * plane.stride, count: plane.width)
                for byte in bytes { sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211 }
            }
            return sum
        }
    }

    @Test func framesAreThoseOfOneThread() throws {
        let together = DecodingTogether()
        let alone = try paths().map { try VideoReader(LocalFile(path: $0), track: 1) }
        let shared = try paths().map { try VideoReader(LocalFile(path: $0), track: 1) }
        for step in 0..<40 {
            let time = Rational(step, 20)
            let errors = together.run(shared.map { .init(reader: $0, time: time) }, matrixForRGB: .bt709)
            #expect(errors.isEmpty)
            for (one, other) in zip(alone, shared) {
                let (expected, found) = (try sum(one, at: time), try sum(other, at: time))
                #expect(found == expected && found != nil)
            }
        }
    }

    /// A file that is read by two readers at a time or not at all, once its gate is shut.
    private final class Meeting: MediaSource {
        struct State {
            var isShut = false
            var waiting = 0
            var most = 0
        }

        let file: LocalFile
        let state: Meeting.Room

        final class Room: Sendable {
            let state = Mutex(State())
            let bell = DispatchSemaphore(value: 0)
        }

        init(_ path: String, _ room: Room) throws { (file, state) = (try LocalFile(path: path), room) }

        var name: String { file.name }
        var identity: SourceIdentity { file.identity }
        func identityNow() throws -> SourceIdentity { try file.identityNow() }

        func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let (isShut, isSecond) = state.state.withLock { room in
                guard room.isShut else { return (false, false) }
                room.waiting += 1
                room.most = max(room.most, room.waiting)
                if room.waiting == 2 { room.isShut = false }
                return (true, room.waiting == 2)
            }
            if isSecond {
                state.bell.signal()
            } else if isShut {
                _ = state.bell.wait(timeout: .now() + .seconds(20))
            }
            if isShut { state.state.withLock { $0.waiting -= 1 } }
            return try file.read(at: place, into: buffer)
        }
    }

    @Test func twoReadAtATime() throws {
        let room = Meeting.Room()
        let folder = try TestFolder("together")
        // More bytes than libavformat reads ahead.
        let readers = try ["a.mkv", "b.mkv"].map { name in
            try Witness(in: folder).ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=960x540:r=25:d=2", "-c:v", "mjpeg", "-q:v", "1", folder.file(name),
            ])
            return try VideoReader(Meeting(folder.file(name), room), track: 1)
        }
        for reader in readers { _ = try sum(reader, at: .zero) }
        room.state.withLock { $0.isShut = true }
        let errors = DecodingTogether().run(
            readers.map { .init(reader: $0, time: Rational(3, 2)) }, matrixForRGB: .bt709)
        #expect(errors.isEmpty && room.state.withLock { $0.most } == 2)
    }

    /// Another one whose reading fails keeps none from its frame, and the error is told with its place.
    private final class Dead: MediaSource {
        let file: LocalFile
        let isDead = Mutex(false)

        init(_ path: String) throws { file = try LocalFile(path: path) }

        var name: String { file.name }
        var identity: SourceIdentity { file.identity }
        func identityNow() throws -> SourceIdentity { try file.identityNow() }

        func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            if isDead.withLock({ $0 }) {
                throw SplitreelError(.mediaCannotOpen, operation: "read", subject: name, reason: "the line is dead")
            }
            return try file.read(at: place, into: buffer)
        }
    }

    @Test func anErrorIsThatOfItsFilm() throws {
        let all = try paths()
        let dead = try Dead(all[1])
        let readers = [
            try VideoReader(LocalFile(path: all[0]), track: 1), try VideoReader(dead, track: 1),
            try VideoReader(LocalFile(path: all[2]), track: 1),
        ]
        _ = try sum(readers[1], at: .zero)
        dead.isDead.withLock { $0 = true }
        let time = Rational(3, 2)
        let errors = DecodingTogether().run(readers.map { .init(reader: $0, time: time) }, matrixForRGB: .bt709)
        #expect(Array(errors.keys) == [1] && (errors[1] as? SplitreelError)?.reason.contains("dead") == true)
        for place in [0, 2] {
            let (found, expected) = (
                try sum(readers[place], at: time), try sum(VideoReader(LocalFile(path: all[place]), track: 1), at: time)
            )
            #expect(found == expected)
        }
    }
}
