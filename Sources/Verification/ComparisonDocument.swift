import Diagnostics
import Foundation
import Measuring
import MediaTime
import Planning
import Rendering
package import Stitching

/// The document of a comparison.
package struct ComparisonDocument: Encodable {
    struct Part: Encodable {
        var index: Int
        var firstFrame: Int
        var frameCount: Int
        /// The number of frames that were compared.
        var sampled: Int
        /// The PSNR of all of them, and of the worst one, in decibels; absent where every sample is the same.
        var psnr: Double?
        var worstPsnr: Double?
        var worstFrame: Int
        var ssim: Double
        /// The mean VMAF of all of them, and the lowest; absent where it was not measured.
        var vmaf: Double?
        var worstVmaf: Double?
        var worstVmafFrame: Int?
        /// Whether it is far worse than the film's chunks usually are.
        var standsOut: Bool
    }

    struct Frame: Encodable {
        var frame: Int
        var psnr: Double?
        var psnrY: Double?
        var ssim: Double
        var vmaf: Double?
        /// The neighbour that the film's frame is nearer to; absent where it is its own.
        var nearerTo: Int?
    }

    struct Sound: Encodable {
        /// The samples by which the film's sound is late; absent where the mix is silent.
        var lag: Int?
        var likeness: Double
        /// The place of the comparison in seconds of the film.
        var seconds: Double
    }

    var composition: String
    /// The PSNR of all sampled frames, in decibels; absent where every sample is the same.
    var psnr: Double?
    var ssim: Double?
    /// The mean VMAF of all sampled frames, with its model and version; absent where it was not measured.
    var vmaf: Double?
    var vmafModel: String?
    var libvmaf: String?
    var minPsnr: Double
    var chunks: [Part] = []
    var frames: [Frame] = []
    var sound: Sound?
    /// The checks, which are told with the film's other ones.
    package internal(set) var checks: [VerifyReport.Check] = []
    private var hasNoLibvmaf = false
    /// The reason for which VMAF could not be measured; nil where it was, or was not to be.
    package private(set) var vmafFault: String?

    enum CodingKeys: String, CodingKey {
        case composition, psnr, ssim, vmaf, vmafModel, libvmaf, minPsnr, chunks, frames, sound
    }

    init(composition: String, leastSignalToNoise: Double) {
        (self.composition, minPsnr) = (composition, leastSignalToNoise)
    }

    mutating func addPicture(_ found: [ComparedFrame], _ plan: RenderPlan, _ use: VMAFUse) {
        frames = found.map { frame in
            Frame(
                frame: frame.frame, psnr: frame.difference.signalToNoise, psnrY: frame.difference.signalToNoiseOfLuma,
                ssim: frame.difference.similarity, vmaf: frame.vmaf,
                nearerTo: frame.shift == 0 ? nil : frame.frame + frame.shift)
        }
        (psnr, ssim) = (Self.decibels(found), Self.similarity(found))
        addVMAF(found, use)
        for chunk in plan.chunks {
            let own = found.filter { chunk.frames.contains($0.frame) }
            guard let worst = own.max(by: { $0.difference.meanSquare < $1.difference.meanSquare }) else { continue }
            let lowest = own.filter { $0.vmaf != nil }.min { ($0.vmaf ?? 0) < ($1.vmaf ?? 0) }
            chunks.append(
                Part(
                    index: chunk.index, firstFrame: chunk.firstFrame, frameCount: chunk.frameCount, sampled: own.count,
                    psnr: Self.decibels(own), worstPsnr: worst.difference.signalToNoise, worstFrame: worst.frame,
                    ssim: Self.similarity(own), vmaf: Self.vmaf(own), worstVmaf: lowest?.vmaf,
                    worstVmafFrame: lowest?.frame, standsOut: false))
        }
        let sorted = chunks.map { $0.psnr ?? .infinity }.sorted()
        let usual = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        // A chunk that is equal, beside coded ones, is no measure.
        for index in chunks.indices where usual.isFinite {
            chunks[index].standsOut = (chunks[index].psnr ?? .infinity) < usual - 6
        }
        let failed = chunks.filter { ($0.worstPsnr ?? .infinity) < minPsnr }
        let shifted = frames.filter { $0.nearerTo != nil }
        var detail = "\(frames.count) frames: PSNR \(Self.text(psnr)), SSIM \(Self.text(ssim: ssim ?? 0))"
        if let vmaf { detail += ", VMAF \(Self.text(vmaf: vmaf))" }
        if let worst = failed.min(by: { ($0.worstPsnr ?? 0) < ($1.worstPsnr ?? 0) }) {
            detail +=
                "; \(counted(failed.count, "chunk")) below \(Self.text(minPsnr)), the worst is \(worst.index): frame "
                + "\(worst.worstFrame) has \(Self.text(worst.worstPsnr))"
        }
        checks.append(.init(name: "picture against the composition", ok: failed.isEmpty, detail: detail))
        let places = shifted.prefix(3).map { "frame \($0.frame) shows \($0.nearerTo ?? 0)" }.joined(separator: ", ")
        checks.append(
            .init(
                name: "picture's place", ok: shifted.isEmpty,
                detail: shifted.isEmpty ? "every sampled frame is its own" : places))
    }

    private mutating func addVMAF(_ found: [ComparedFrame], _ use: VMAFUse) {
        switch use {
        case .unwanted: break
        case .notInstalled: hasNoLibvmaf = true
        case .measured(let version): (vmaf, vmafModel, libvmaf) = (Self.vmaf(found), VMAFMeter.model, version)
        case .failed(let reason): vmafFault = reason
        }
    }

    /// Adds a check that fails, since one of the two has none of it, or more.
    mutating func lacks(_ what: String, _ detail: String) {
        checks.append(.init(name: what + " against the composition", ok: false, detail: detail))
    }

    /// Adds a check of something that the film's container has no place for.
    mutating func skips(_ what: String, _ reason: String) {
        checks.append(.init(name: what + " against the composition", ok: true, detail: "not compared: " + reason))
    }

    /// Adds a sound's checks; `number`, from 1, is one of several tracks'. The document has the first one's figures.
    mutating func addSound(_ found: SoundComparison, number: Int?) {
        let name = "sound's place" + (number.map { " \($0)" } ?? "")
        addLevel(found, number)
        if (number ?? 1) == 1 { sound = Sound(lag: found.lag, likeness: found.likeness, seconds: found.seconds) }
        guard let lag = found.lag else {
            return checks.append(.init(name: name, ok: true, detail: "the mix is silent"))
        }
        let like = String(format: "%.3f", found.likeness)
        let at = String(format: "%.3f", found.seconds)
        guard found.likeness > 0.3 else {
            let detail = "nothing within \(SoundComparison.reach) samples is like the mix (likeness \(like) at \(at) s)"
            return checks.append(.init(name: name, ok: false, detail: detail))
        }
        if let channel = found.strange {
            let detail = "channel \(channel + 1) is not the mix's at \(at) s, or not in step with the others"
            return checks.append(.init(name: name, ok: false, detail: detail))
        }
        let place = found.isInPlace ? "in place" : "\(counted(abs(lag), "sample")) \(lag > 0 ? "late" : "early")"
        checks.append(
            .init(
                name: name, ok: found.isInPlace, detail: "\(place) (likeness \(like) at \(at) s)"))
    }

    private mutating func addLevel(_ found: SoundComparison, _ number: Int?) {
        func text(_ level: Double) -> String { level < -90 ? "silence" : String(format: "%.1f dBFS", level) }
        let name = "sound's level" + (number.map { " \($0)" } ?? "")
        var detail = found.fault.map { fault in
            "channel \(fault.channel + 1) has \(text(fault.film)) in the half second from "
                + String(format: "%.1f", fault.seconds) + " s, the mix \(text(fault.mix))"
        }
        if detail == nil, let gain = found.gain {
            let decibels = String(format: "%.1f dB", abs(gain.decibels))
            detail =
                "channel \(gain.channel + 1) is \(decibels) \(gain.decibels > 0 ? "louder" : "quieter") than the mix"
        }
        checks.append(.init(name: name, ok: detail == nil, detail: detail ?? "as the mix in every half second"))
    }

    private static func decibels(_ frames: [ComparedFrame]) -> Double? {
        let sum = frames.reduce(0) { $0 + $1.difference.meanSquare }
        return sum > 0 ? 10 * log10(255 * 255 * Double(frames.count) / sum) : nil
    }

    private static func similarity(_ frames: [ComparedFrame]) -> Double {
        frames.isEmpty ? 1 : frames.reduce(0) { $0 + $1.difference.similarity } / Double(frames.count)
    }

    /// The mean VMAF of frames; nil where it was not measured.
    private static func vmaf(_ frames: [ComparedFrame]) -> Double? {
        let scores = frames.compactMap(\.vmaf)
        return scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
    }

    static func text(_ decibels: Double?) -> String {
        decibels.map { String(format: "%.2f dB", $0) } ?? "without end (equal)"
    }

    static func text(ssim: Double) -> String { String(format: "%.5f", ssim) }

    static func text(vmaf: Double) -> String { String(format: "%.2f", vmaf) }

    /// The lines for people: each chunk, or the worst of very many, then the meter of VMAF, or that there was none.
    package var lines: [String] {
        let shown = 24
        let chosen =
            chunks.count <= shown
            ? chunks
            : chunks.sorted { ($0.psnr ?? .infinity) < ($1.psnr ?? .infinity) }.prefix(shown).sorted {
                $0.index < $1.index
            }
        var lines = chosen.map(Self.line)
        if chunks.count > shown { lines.append("the \(shown) worst of \(chunks.count) chunks are shown") }
        if let libvmaf { lines.append("VMAF by libvmaf \(libvmaf), model \(VMAFMeter.model)") }
        if hasNoLibvmaf { lines.append("VMAF was not measured: libvmaf is not installed") }
        return lines
    }

    private static func line(_ part: Part) -> String {
        var line =
            "chunk \(part.index), frames \(part.firstFrame) to \(part.firstFrame + part.frameCount - 1): PSNR "
            + "\(text(part.psnr)) (worst \(text(part.worstPsnr)) at \(part.worstFrame)), SSIM \(text(ssim: part.ssim))"
        if let vmaf = part.vmaf, let worst = part.worstVmaf, let frame = part.worstVmafFrame {
            line += ", VMAF \(text(vmaf: vmaf)) (worst \(text(vmaf: worst)) at \(frame))"
        }
        return line + (part.standsOut ? "  <- stands out" : "")
    }
}
