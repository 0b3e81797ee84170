internal import Diagnostics
internal import ExactMath
internal import Foundation
internal import Glibc
package import Outputs
internal import SplitreelFiles

/// The settings by which a sound is measured.
package struct WaveformSettings: Hashable, Sendable {
    package var samplesPerBucket: Int
    /// The bits of a peak: 8 or 16.
    package var bits: Int
    /// Whether each channel is measured by itself, and not their mean.
    package var splitsChannels: Bool

    package init(samplesPerBucket: Int, bits: Int = 16, splitsChannels: Bool = false) {
        self.samplesPerBucket = samplesPerBucket
        self.bits = bits
        self.splitsChannels = splitsChannels
    }

    /// The number of buckets of so many samples; the last bucket may be shorter.
    package func bucketCount(of sampleCount: Int) -> Int { (sampleCount + samplesPerBucket - 1) / samplesPerBucket }

    /// A sample as a whole number of `bits` bits, as audiowaveform makes them: 16 from full scale, 8 from these.
    func code(_ value: Float) -> Int {
        let word = Int((Double(value) * 32768).rounded().held(in: -32768...32767))
        return bits == 8 ? word / 256 : word
    }
}

/// Measures a waveform and writes it as its sound comes; keeps one block of the file in memory, whatever the length.
/// The file appears only when it is finished. Confined to one thread at a time.
package final class WaveformFile {
    private let settings: WaveformSettings
    private var meter: WaveformMeter
    private let file: PlacedFile
    private let loudness: SecondList?
    private var isFirst = true

    /// Begins a file. `sampleCount` is that of each channel; all of the samples must be added. Throws `.usage` for more
    /// buckets than the format counts, and where the file cannot be made. With `isAlone` nobody else makes this file at
    /// the same time; an earlier process's unfinished one is taken over.
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
        file = try PlacedFile(path, suffix: isAlone ? "part" : "\(getpid()).part")
        loudness = kind == .json ? try SecondList(beside: path) : nil
        switch kind {
        case .dat:
            for word in [2, settings.bits == 8 ? 1 : 0, sampleRate, settings.samplesPerBucket, count, rows] {
                file.pending.append(littleEndian: word, bytes: 4)
            }
        case .json:
            file.pending.append(
                "{\"version\":2,\"channels\":\(rows),\"sample_rate\":\(sampleRate),"
                    + "\"samples_per_pixel\":\(settings.samplesPerBucket),\"bits\":\(settings.bits),"
                    + "\"length\":\(count),\"samples\":\(sampleCount),\"data\":[")
        }
    }

    /// Adds the next `count` samples of each channel, a plane for each.
    package func add(_ planes: [UnsafeMutablePointer<Float>], count: Int) throws {
        unsafe try meter.add(planes, count: count) { try write($0) }
    }

    private func write(_ buckets: [WaveformMeter.Bucket]) throws {
        for bucket in buckets {
            let (least, most) = (settings.code(bucket.least), settings.code(bucket.most))
            if let loudness {
                let comma = isFirst ? "" : ","
                file.pending.append("\(comma)\(least),\(most)")
                loudness.pending.append("\(comma)\(decimal(bucket.rms))")
                isFirst = false
            } else {
                file.pending.append(littleEndian: least, bytes: settings.bits / 8)
                file.pending.append(littleEndian: most, bytes: settings.bits / 8)
            }
        }
        try file.writeIfLarge()
        try loudness?.writeIfLarge()
    }

    /// Puts the file in its place.
    package func finish() throws {
        try meter.finish { try write($0) }
        if let loudness {
            file.pending.append("],\"rms\":[")
            try loudness.move(to: file)
            file.pending.append("]}\n")
        }
        try file.finish()
    }
}

/// The number's text with six digits after the point, never in powers of ten.
private func decimal(_ value: Double) -> String {
    let micros = Int((value * 1_000_000).rounded().held(in: 0...1e15))
    let digits = String(micros % 1_000_000)
    return "\(micros / 1_000_000)." + String(repeating: "0", count: 6 - digits.count) + digits
}

/// The bytes that wait to be written to a file or a scratch in blocks.
private struct Pending {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ text: String) { bytes += text.utf8 }
    mutating func append(_ more: [UInt8]) { bytes += more }

    mutating func append(littleEndian value: Int, bytes count: Int) {
        for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }

    var isLarge: Bool { bytes.count >= Pending.block }

    static let block = 1 << 16

    /// Hands all bytes to `body`; they are not pending any more.
    mutating func take(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try unsafe bytes.withUnsafeBytes(body)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// A file that is written beside its place and put there when it is whole; without `finish` nothing of it stays.
private final class PlacedFile {
    private let path: String
    private let temporary: String
    private let file: GrowingFile
    private var isPlaced = false
    var pending = Pending()

    init(_ path: String, suffix: String) throws {
        self.path = path
        temporary = path + "." + suffix
        file = try GrowingFile(path: temporary, named: path, permissions: 0o666)
    }

    deinit { if !isPlaced { _ = unsafe unlink(temporary) } }

    func writeIfLarge() throws { if pending.isLarge { try writePending() } }

    func writePending() throws { try unsafe pending.take { try unsafe file.write($0) } }

    /// Puts the file in its place; all of it is on the disk when this returns.
    func finish() throws {
        try writePending()
        try file.finish()
        try renameFile(temporary, to: path)
        isPlaced = true
    }
}

/// The second list of a JSON file, which follows the first: it is kept on the disk beside the first until that is
/// whole.
private final class SecondList {
    private let scratch: ScratchFile
    private var length: Int64 = 0
    var pending = Pending()

    init(beside path: String) throws { scratch = try ScratchFile(in: parentFolder(of: path)) }

    func writeIfLarge() throws { if pending.isLarge { try writePending() } }

    private func writePending() throws {
        try unsafe pending.take {
            try unsafe scratch.write($0, at: length)
            length += Int64($0.count)
        }
    }

    /// Appends the list to the file, block by block.
    func move(to file: PlacedFile) throws {
        try file.writePending()
        try writePending()
        var done: Int64 = 0
        while done < length {
            var block = [UInt8](repeating: 0, count: Int(min(Int64(Pending.block), length - done)))
            try unsafe block.withUnsafeMutableBytes { try unsafe scratch.read(into: $0, at: done) }
            done += Int64(block.count)
            file.pending.append(block)
            try file.writePending()
        }
    }
}
