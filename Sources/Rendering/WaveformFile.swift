import AudioMixing
import Composition
package import Diagnostics
import Files
import Foundation
import Glibc
import Media
import Planning

/// How a waveform is written.
package enum WaveformKind: Hashable, Sendable {
    /// BBC audiowaveform's JSON, version 2, with the buckets' RMS beside it.
    case json
    /// BBC audiowaveform's binary form, version 2.
    case dat

    /// By the name's extension; nil for others.
    package init?(path: String) {
        let name = path.lowercased()
        if name.hasSuffix(".json") {
            self = .json
        } else if name.hasSuffix(".dat") {
            self = .dat
        } else {
            return nil
        }
    }
}

/// How a sound is measured.
package struct WaveformSettings: Hashable, Sendable {
    package var samplesPerBucket: Int
    /// Of the peaks: 8 or 16.
    package var bits: Int
    /// Each channel by itself; else their mean.
    package var splitsChannels: Bool

    package init(samplesPerBucket: Int, bits: Int = 16, splitsChannels: Bool = false) {
        (self.samplesPerBucket, self.bits, self.splitsChannels) = (samplesPerBucket, bits, splitsChannels)
    }

    /// Buckets of so many samples; the last one may be shorter.
    package func bucketCount(of sampleCount: Int) -> Int { (sampleCount + samplesPerBucket - 1) / samplesPerBucket }

    /// A sample as a whole number of that many bits, as audiowaveform makes them: 16 from full scale, 8 from these.
    func code(_ value: Float) -> Int {
        let word = Int((Double(value) * 32768).rounded().held(in: -32768...32767))
        return bits == 8 ? word / 256 : word
    }
}

/// Measures a sound while it is read, and writes it as it goes; keeps one block of the file, whatever the length.
///
/// A file that could not be finished is not there.
package func writeWaveform(
    of sound: SoundStream, _ settings: WaveformSettings, as kind: WaveformKind, to path: String,
    cancellation: Cancellation
) throws -> NoticeList {
    let rows = settings.splitsChannels ? sound.channels : 1
    let count = settings.bucketCount(of: sound.sampleCount)
    guard count < 1 << 31, settings.samplesPerBucket < 1 << 31 else {
        throw SplitreelError(
            .usage, operation: "waveform", subject: path, reason: "\(count) buckets do not fit into the file's header",
            hint: "choose more samples for each")
    }
    var meter = WaveformMeter(
        channels: sound.channels, splitting: settings.splitsChannels, samplesPerBucket: settings.samplesPerBucket)
    let file = try GrowingFile(path)
    let loudness = kind == .json ? try GrowingFile(path, suffix: "rms", isPart: true) : nil
    switch kind {
    case .dat:
        for word in [2, settings.bits == 8 ? 1 : 0, sound.sampleRate, settings.samplesPerBucket, count, rows] {
            file.append(littleEndian: word, bytes: 4)
        }
    case .json:
        file.append(
            "{\"version\":2,\"channels\":\(rows),\"sample_rate\":\(sound.sampleRate),"
                + "\"samples_per_pixel\":\(settings.samplesPerBucket),\"bits\":\(settings.bits),\"length\":\(count),"
                + "\"samples\":\(sound.sampleCount),\"data\":[")
    }
    var isFirst = true
    func write(_ buckets: [WaveformMeter.Bucket]) throws {
        for bucket in buckets {
            let (least, most) = (settings.code(bucket.least), settings.code(bucket.most))
            if let loudness {
                let comma = isFirst ? "" : ","
                file.append("\(comma)\(least),\(most)")
                loudness.append("\(comma)\(decimal(bucket.rms))")
                isFirst = false
            } else {
                file.append(littleEndian: least, bytes: settings.bits / 8)
                file.append(littleEndian: most, bytes: settings.bits / 8)
            }
        }
        try file.writeIfLarge()
        try loudness?.writeIfLarge()
    }
    let notices = try sound.read(cancellation: cancellation) { planes, count in
        try meter.add(planes, count: count, write)
    }
    try meter.finish(write)
    if let loudness {
        file.append("],\"rms\":[")
        try file.append(contentsOf: loudness)
        file.append("]}\n")
    }
    try file.finish()
    return notices
}

/// Six digits after the point, never in powers of ten.
private func decimal(_ value: Double) -> String {
    let micros = Int((value * 1_000_000).rounded().held(in: 0...1e15))
    let digits = String(micros % 1_000_000)
    return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
}

/// A file that is written beside its place and put there when it is whole; else nothing of it stays.
private final class GrowingFile {
    private let path: String
    private let temporary: String
    private var descriptor: Int32
    private var pending: [UInt8] = []
    private static let block = 1 << 16

    /// `isPart`: it only helps to make another one.
    init(_ path: String, suffix: String = "part", isPart: Bool = false) throws {
        self.path = path
        temporary = path + ".\(getpid()).\(suffix)"
        descriptor = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw writingFailure("open", path, errno: errno) }
        if isPart { unlink(temporary) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(temporary)
    }

    func append(_ text: String) { pending += text.utf8 }

    func append(littleEndian value: Int, bytes: Int) {
        for byte in 0..<bytes { pending.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }

    func writeIfLarge() throws { if pending.count >= Self.block { try writePending() } }

    private func writePending() throws {
        try writeWhole(Data(pending), to: descriptor, path: path)
        pending.removeAll(keepingCapacity: true)
    }

    /// All of the other, block by block.
    func append(contentsOf other: GrowingFile) throws {
        try other.writePending()
        guard lseek(other.descriptor, 0, SEEK_SET) == 0 else { throw writingFailure("lseek", path, errno: errno) }
        var block = [UInt8](repeating: 0, count: Self.block)
        while true {
            let count = Glibc.read(other.descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw writingFailure("read", path, errno: errno) }
            if count == 0 { return }
            pending += block.prefix(count)
            try writePending()
        }
    }

    func finish() throws {
        try writePending()
        let owned = descriptor
        descriptor = -1
        guard close(owned) == 0 || errno == EINTR else {
            unlink(temporary)
            throw writingFailure("close", path, errno: errno)
        }
        do {
            try renameFile(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }
}
