internal import CVMAF
package import Pictures

/// VMAF of a moving picture beside the one that it is meant to be, by libvmaf where that is installed: from 0 to 100
/// for each frame, made for SDR as one sees it on a screen of 1080 rows.
///
/// A frame's score takes in the motion to the frames beside it: see `add`. Owns its measurement; the library stays
/// loaded. Confined to one thread, on which libvmaf works too.
@safe
package final class VMAFMeter {
    /// The version that libvmaf tells, such as `2.3.1`.
    package let version: String
    /// The model that the scores are by, which libvmaf has in itself.
    package static let model = "vmaf_v0.6.1"

    /// The file names of libvmaf, those of known interfaces first. The dynamic linker finds them.
    package static let names = ["libvmaf.so.3", "libvmaf.so.1", "libvmaf.so"]
    /// The least width and height in pixels: libvmaf reads beyond its memory where one of them is below 33.
    package static let leastSide = 64

    private let size: PixelSize
    private let bitDepth: Int
    private var library: SRVmaf
    private var count = 0
    /// The first fault; nothing is added after it.
    private var fault: VMAFFault?

    /// Opens libvmaf; nil where none of the names is installed. Throws where libvmaf is there and cannot be used, or
    /// the pictures are too small.
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
        self.version = version
        self.size = size
        self.bitDepth = bitDepth
        self.library = library
    }

    deinit { unsafe sr_vmaf_end(&library) }

    /// The library of the first name that can be used; nil where none of the names is there. Where all that are there
    /// cannot be used, it throws the fault of the first one.
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

    /// Adds the next frame of the film and the picture that it is meant to be, both of the meter's size and bit depth.
    /// Only their luma is measured. A frame's score is the whole film's where its neighbours, as far as the film has
    /// them, are added before and after it. `scores` throws the faults that are met here.
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

    /// The scores of the frames at these places among those that were added, counted from 0. Ends the measurement: it
    /// is to be called once, and nothing added after it.
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

    /// A buffer that C writes a reason to.
    private struct Reason {
        var bytes = [CChar](repeating: 0, count: 512)
        var text: String { String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
}

/// The reason why libvmaf does not measure, in words for a person. It makes nothing fail: VMAF is one figure among
/// others.
package struct VMAFFault: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
}
