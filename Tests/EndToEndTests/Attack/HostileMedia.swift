import Foundation
import TestTools

/// Media files that are broken, or that lie.
struct HostileMedia {
    private var chance: Chance
    private let originals: [(ending: String, bytes: [UInt8])]

    private static let kinds: [(ending: String, coding: [String])] = [
        ("mp4", ["-c:v", "libx264", "-g", "5", "-bf", "2", "-c:a", "aac"]),
        ("mov", ["-c:v", "prores_ks", "-c:a", "alac"]),
        ("mkv", ["-c:v", "ffv1", "-c:a", "flac"]),
        ("webm", ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"]),
        ("ts", ["-c:v", "mpeg2video", "-c:a", "mp2"]), ("avi", ["-c:v", "mpeg4", "-c:a", "mp3"]),
        ("nut", ["-c:v", "libx264", "-c:a", "pcm_s16le"]),
        ("mxf", ["-c:v", "mpeg2video", "-r", "25", "-c:a", "pcm_s16le"]),
        ("hevc.mp4", ["-c:v", "libx265", "-x265-params", "log-level=none", "-an"]), ("gif", ["-an"]),
        ("ogg", ["-vn", "-c:a", "libvorbis"]), ("mp3", ["-vn"]), ("wav", ["-vn"]), ("flac", ["-vn"]),
        ("png", ["-an", "-frames:v", "1"]), ("jpg", ["-an", "-frames:v", "1"]), ("tiff", ["-an", "-frames:v", "1"]),
        ("webp", ["-an", "-frames:v", "1"]), ("bmp", ["-an", "-frames:v", "1"]),
    ]

    /// Makes the good files that the bad ones come from: half a second, 64×48.
    init(seed: UInt64, _ witness: Witness) throws {
        chance = Chance(seed: seed)
        originals = try Self.kinds.map { kind in
            let path = witness.folder.file("good.\(kind.ending)")
            try witness.ffmpeg(
                [
                    "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-f", "lavfi", "-i", "sine=sample_rate=48000", "-t",
                    "0.5",
                ] + kind.coding + [path])
            return (kind.ending, [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        }
    }

    /// Changes near the start, near the end (where indexes are) or all over, or a hole, or an end too early.
    mutating func next() -> (ending: String, bytes: [UInt8]) {
        let (ending, original) = chance.pick(originals)
        var bytes = original
        switch chance.below(6) {
        case 0: bytes = chance.mutated(Array(bytes.prefix(600))) + bytes.dropFirst(600)
        case 1: bytes = bytes.dropLast(900) + chance.mutated(Array(bytes.suffix(900)))
        case 2: for _ in 0..<(1 + chance.below(40)) { bytes[chance.below(bytes.count)] ^= 1 << UInt8(chance.below(8)) }
        case 3:
            let start = chance.below(bytes.count)
            for index in start..<min(bytes.count, start + 2048) { bytes[index] = 0 }
        case 4: bytes = Array(bytes.prefix(1 + chance.below(bytes.count)))
        default: bytes = chance.mutated(chance.mutated(bytes))
        }
        return (ending, bytes)
    }

    /// Files that are no media, or ask for more than they are; by name. What is not a file is made in the folder.
    static func crafted(in folder: TestFolder) throws -> [String] {
        let bomb = """
            <svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9000"><filter id="f"><feTurbulence
            baseFrequency="0.001" numOctaves="200"/></filter><rect width="9000" height="9000" filter="url(#f)"/></svg>
            """
        // A PNG's header that claims 60,000 × 60,000 pixels of 16 bits, without a right checksum or any content.
        let png: [UInt8] =
            [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60, 16, 6, 0, 0, 0, 1, 2, 3, 4]
        let wave = Array(SoundMedia.wave([[0, 0.5, 0]], rate: 0x7fff_ffff))
        let texts = [
            "bomb.svg": bomb, "words.txt": "no film\n", "list.m3u8": "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n",
            "list.ffconcat": "ffconcat version 1.0\nfile '/etc/passwd'\n", "list.sdp": "v=0\nm=video 1 RTP/AVP 96\n",
            "art.ans": "\u{1b}[31m\u{1b}[99999;99999Hx",
        ]
        var paths = try texts.map { try folder.write($1, to: $0) }
        paths.append(try folder.write(Data(png), to: "huge.png"))
        paths.append(try folder.write(Data(wave), to: "fast.wav"))
        paths.append(try folder.write(Data(), to: "empty.mp4"))
        paths.append(try folder.folder("folder.mp4"))
        let pipe = folder.file("pipe.mp4")
        guard mkfifo(pipe, 0o644) == 0 else { throw ToolFailure("no pipe can be made at \(pipe)") }
        let loop = folder.file("loop.mp4")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let device = folder.file("device.mp4")
        try FileManager.default.createSymbolicLink(atPath: device, withDestinationPath: "/dev/zero")
        return (paths + [pipe, loop, device]).sorted()
    }
}
