internal import CVMAF
package import Pictures

/// VMAF of a moving picture beside the one that it is meant to be, by libvmaf where that is installed: from 0 to 100
/// for each frame, made for SDR as one sees it on a screen of 1080 rows.
///
/// A frame's score needs the frames beside it, of how it moves: see `add`. Owns its measurement; the library stays
/// loaded. Confined to one thread, on which libvmaf works too.
@safe
package final class VMAFMeter {
    /// Of libvmaf, as it tells it, such as `2.3.1`.
    package let version: String
    /// Which libvmaf has in itself.
    package static let model = "vmaf_v0.6.1"

    /// libvmaf's names, those of known interfaces first. Where they lie is the dynamic linker's business.
    package static let names = ["libvmaf.so.3", "libvmaf.so.1", "libvmaf.so"]
    /// Of both sides, in pixels: libvmaf reads beyond its memory where one of them is below 33.
    package static let leastSide = 64

    private let size: PixelSize
    private let bitDepth: Int
    private var library: SRVmaf
    private var count = 0
    /// The first one; nothing is added after it.
    private var fault: VMAFFault?

    /// nil where none of the names is installed. Throws where one is and cannot be used, or the pictures are too small.
    package init?(size: PixelSize, bitDepth: Int, names: [String] = VMAFMeter.names) throws(VMAFFault) {
        guard var library = try Self.open(names) else { return nil }
        let version = unsafe sr_vmaf_version(&library).map { unsafe String(cString: $0) } ?? ""
        guard min(size.width, size.height) >= Self.leastSide else {
            throw VMAFFault("libvmaf is not for pictures smaller than \(Self.leastSide)×\(Self.leastSide)")
        }
        var reason = Reason()
        guard unsafe sr_vmaf_begin(&library, Self.model, &reason.bytes, reason.bytes.count) == 0 else {
            throw VMAFFault("libvmaf \(version) is not usable: \(reason.text)")
        }
        (self.version, self.size, self.bitDepth, self.library) = (version, size, bitDepth, library)
    }

    deinit { unsafe sr_vmaf_end(&library) }

    /// The library of the first name that can be used; nil where there is none of any. Throws what is wrong with the
    /// first one that is there, where none can be used.
    private static func open(_ names: [String]) throws(VMAFFault) -> SRVmaf? {
        var fault: VMAFFault?
        for name in names {
            var (library, reason) = (SRVmaf(), Reason())
            switch unsafe sr_vmaf_open(&library, name, &reason.bytes, reason.bytes.count) {
            case 1: return library
            case 0: break
            default: fault = fault ?? VMAFFault("libvmaf is not usable: \(reason.text)")
            }
        }
        if let fault { throw fault }
        return nil
    }

    /// The next frame of the film and what it is meant to be, both of the meter's size and bit depth; their luma alone
    /// is looked at. The score is that of the whole film where the frame before and the one after it, as far as the
    /// film has them, are added before and after it. What goes wrong is told by `scores`.
    package func add(_ frame: PlanarImage, of meant: PlanarImage) {
        for luma in [frame.luma, meant.luma] {
            precondition(luma.width == size.width && luma.height == size.height, "pictures of the meter's size")
        }
        guard fault == nil else { return }
        let answer = unsafe sr_vmaf_add(
            &library, meant.luma.base, meant.luma.stride, frame.luma.base, frame.luma.stride, UInt32(size.width),
            UInt32(size.height), UInt32(bitDepth), UInt32(count))
        count += 1
        if answer != 0 { fault = VMAFFault("libvmaf \(version) answers \(answer) to a frame") }
    }

    /// Of the frames at these places among those that were added, counted from 0. Ends the measurement: to be called
    /// once, and nothing added after it.
    package func scores(at places: [Int]) throws(VMAFFault) -> [Double] {
        precondition(places.allSatisfy { (0..<count).contains($0) }, "scores of frames that were added")
        if let fault { throw fault }
        if count > 0 { unsafe sr_vmaf_flush(&library) }
        var scores: [Double] = []
        for place in places {
            var score = 0.0
            let answer = unsafe sr_vmaf_score(&library, UInt32(place), &score)
            guard answer == 0, score.isFinite else {
                throw VMAFFault("libvmaf \(version) answers \(answer) for a score")
            }
            scores.append(score)
        }
        return scores
    }

    /// Where C writes a reason.
    private struct Reason {
        var bytes = [CChar](repeating: 0, count: 512)
        var text: String { String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
}

/// Why libvmaf does not measure, in words for a person. It fails nothing: VMAF is one figure among others.
package struct VMAFFault: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}
