internal import AudioMixing
internal import Composition
internal import Diagnostics
internal import Files
internal import Foundation
internal import Glibc
package import Planning

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

/// A waveform that is measured and written as its sound comes; keeps one block of the file, whatever the length. One
/// that is not finished is not there. Confined to one thread at a time.
package final class WaveformFile {
    private let settings: WaveformSettings
    private var meter: WaveformMeter
    private let file: GrowingFile
    private let loudness: GrowingFile?
    private var isFirst = true

    /// `sampleCount`: of each channel; all of them must be added. Throws `.usage` for more buckets than the format
    /// counts, and where the file cannot be made. `isAlone`: nobody else makes this file at the same time; what an
    /// earlier process left of it is taken over.
    package init(
        _ path: String, _ kind: WaveformKind, _ settings: WaveformSettings, sampleRate: Int, channels: Int,
        sampleCount: Int, isAlone: Bool = false
    ) throws {
        self.settings = settings
        let rows = settings.splitsChannels ? channels : 1
        let count = settings.bucketCount(of: sampleCount)
        guard count < 1 << 31, settings.samplesPerBucket < 1 << 31 else {
            throw SplitreelError(
                .usage, operation: "waveform", subject: path,
                reason: "\(count) buckets do not fit into the file's header", hint: "choose more samples for each")
        }
        meter = WaveformMeter(
            channels: channels, splitting: settings.splitsChannels, samplesPerBucket: settings.samplesPerBucket)
        file = try GrowingFile(path, suffix: isAlone ? "part" : "\(getpid()).part")
        loudness = kind == .json ? try GrowingFile(path, suffix: "\(getpid()).rms", isPart: true) : nil
        switch kind {
        case .dat:
            for word in [2, settings.bits == 8 ? 1 : 0, sampleRate, settings.samplesPerBucket, count, rows] {
                file.append(littleEndian: word, bytes: 4)
            }
        case .json:
            file.append(
                "{\"version\":2,\"channels\":\(rows),\"sample_rate\":\(sampleRate),"
                    + "\"samples_per_pixel\":\(settings.samplesPerBucket),\"bits\":\(settings.bits),"
                    + "\"length\":\(count),\"samples\":\(sampleCount),\"data\":[")
        }
    }

    /// The next samples, a plane for each channel.
    package func add(_ planes: [UnsafeMutablePointer<Float>], count: Int) throws {
        unsafe try meter.add(planes, count: count) { try write($0) }
    }

    private func write(_ buckets: [WaveformMeter.Bucket]) throws {
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

    /// Puts the file in its place.
    package func finish() throws {
        try meter.finish { try write($0) }
        if let loudness {
            file.append("],\"rms\":[")
            try file.append(contentsOf: loudness)
            file.append("]}\n")
        }
        try file.finish()
    }
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
    init(_ path: String, suffix: String, isPart: Bool = false) throws {
        self.path = path
        temporary = path + "." + suffix
        descriptor = unsafe open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw writingFailure("open", path, errno: errno) }
        if isPart { _ = unsafe unlink(temporary) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        _ = unsafe unlink(temporary)
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
            let count = unsafe Glibc.read(other.descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw writingFailure("read", path, errno: errno) }
            if count == 0 { return }
            pending += block.prefix(count)
            try writePending()
        }
    }

    /// All of it is on the disk when this returns.
    func finish() throws {
        try writePending()
        guard fsync(descriptor) == 0 else { throw writingFailure("fsync", path, errno: errno) }
        let owned = descriptor
        descriptor = -1
        guard close(owned) == 0 || errno == EINTR else {
            _ = unsafe unlink(temporary)
            throw writingFailure("close", path, errno: errno)
        }
        do {
            try renameFile(temporary, to: path)
        } catch {
            _ = unsafe unlink(temporary)
            throw error
        }
    }
}
