import Compositing
import Foundation
import Pictures

// One frame of 1080p in 4:2:0, noise over gradients, from each encoding to each other one: thread CPU milliseconds,
// best and median of so many frames (22, or the first argument), and a sum of what came out, which is to stay the same.

let frames = max(1, CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 22)
let sdr = ColourTriple.bt709
let hlg = ColourTriple(primaries: .bt2020, transfer: .hlg, matrix: .bt2020)
let pq = ColourTriple(primaries: .bt2020, transfer: .pq, matrix: .bt2020)
let bt601 = ColourTriple(primaries: .bt709, transfer: .bt709, matrix: .bt601)
let cases = [
    ("HLG to SDR", hlg, sdr), ("PQ to SDR", pq, sdr), ("SDR to PQ", sdr, pq), ("SDR to HLG", sdr, hlg),
    ("HLG to PQ", hlg, pq), ("PQ to HLG", pq, hlg), ("BT.601 to BT.709", bt601, sdr),
]
for (name, from, to) in cases {
    let (source, canvas) = (Frame(encoding(from)), Frame(encoding(to)))
    source.paint()
    var compositor = Compositor(size: Frame.size, encoding: canvas.image.encoding, hasAlpha: false)
    let layer = LayerImage(image: source.image, pixelAspect: 1, transform: .identity, crop: nil, opacity: 1)
    let times = (0..<frames).map { _ in
        let start = threadMilliseconds()
        compositor.compose(background: .black, layers: [layer], into: canvas.image)
        return threadMilliseconds() - start
    }.sorted()
    let (best, median) = (String(format: "%6.2f", times[0]), String(format: "%6.2f", times[frames / 2]))
    print(name.padding(toLength: 18, withPad: " ", startingAt: 0), best, median, String(canvas.sum, radix: 16))
}

/// HDR in 10 bits, SDR in 8; limited range, left siting.
func encoding(_ colour: ColourTriple) -> PixelEncoding {
    PixelEncoding(
        bitDepth: colour.transfer.isHDR ? 10 : 8, chromaShiftX: 1, chromaShiftY: 1, chromaOffsetX: 0,
        chromaOffsetY: 0.5, colour: colour, isFullRange: false)
}

func threadMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}
