internal import CFFmpeg
internal import Glibc
internal import Libav
internal import Pictures
internal import SplitreelFiles

/// The turn that a file asks for its picture: the linear part of a display matrix, lengths taken out.
struct DisplayMatrix {
    private var a, b, c, d: Double

    /// The matrix in the stream's side data; nil where there is none, or it cannot be inverted, or it turns nothing.
    init?(stream: UnsafeMutablePointer<AVStream>) {
        var size = 0
        guard let data = unsafe av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else {
            return nil
        }
        unsafe self.init(data)
    }

    /// The matrix of a still picture's EXIF orientation (1…8), or its own, or that of its AVIF container; nil where
    /// there is none that turns anything.
    init?(exifOf frame: borrowing Frame, in source: any MediaSource) {
        let side = unsafe av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_DISPLAYMATRIX)?.pointee
        if let side, side.size >= 36 {
            unsafe self.init(side.data)
            return
        }
        if let said = unsafe entry("Orientation", of: frame.fields.metadata) {
            self.init(orientation: Int(said.filter(\.isNumber)) ?? 1)
        } else if let turns = AvifTurn.turns(in: source), !turns.isEmpty {
            self.init(turns)
        } else {
            self.init(orientation: ExifOrientation.of(source) ?? 1)
        }
    }

    private init?(orientation: Int) {
        let orientations: [Int: (Double, Double, Double, Double)] = [
            2: (-1, 0, 0, 1), 3: (-1, 0, 0, -1), 4: (1, 0, 0, -1), 5: (0, 1, 1, 0), 6: (0, 1, -1, 0),
            7: (0, -1, -1, 0), 8: (0, -1, 1, 0),
        ]
        guard let turn = orientations[orientation] else { return nil }
        self.init(turn)
    }

    /// The turns one after the other; nil where they turn nothing in the end.
    private init?(_ turns: [AvifTurn]) {
        (a, b, c, d) = (1, 0, 0, 1)
        for turn in turns {
            switch turn {
            case .quarters(let count): for _ in 0..<count { apply(0, -1, 1, 0) }
            case .mirror(let isLeftToRight): isLeftToRight ? apply(-1, 0, 0, 1) : apply(1, 0, 0, -1)
            }
        }
        if a == 1, d == 1 { return nil }
    }

    /// Lets another matrix follow.
    private mutating func apply(_ e: Double, _ f: Double, _ g: Double, _ h: Double) {
        let (first, second) = ((a, b), (c, d))
        (a, b) = (e * first.0 + g * first.1, f * first.0 + h * first.1)
        (c, d) = (e * second.0 + g * second.1, f * second.0 + h * second.1)
    }

    private init(_ entries: (Double, Double, Double, Double)) { (a, b, c, d) = entries }

    private init?(_ data: UnsafeRawPointer) {
        let values = (0..<9).map { unsafe Double(data.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)) }
        let (x, y) = (hypot(values[0], values[1]), hypot(values[3], values[4]))
        guard x > 0, y > 0 else { return nil }
        (a, b, c, d) = (values[0] / x, values[1] / x, values[3] / y, values[4] / y)
        guard abs(a * d - b * c) > 0.01 else { return nil }
        // Multiples of 90° are exact: 16.16 fixed point may be a step off.
        if let turn = quarterTurn { self = turn }
        if a == 1, b == 0, c == 0, d == 1 { return nil }
    }

    private var quarterTurn: DisplayMatrix? {
        var copy = self
        (copy.a, copy.b, copy.c, copy.d) = (a.rounded(), b.rounded(), c.rounded(), d.rounded())
        let change = max(abs(copy.a - a), abs(copy.b - b), abs(copy.c - c), abs(copy.d - d))
        return change < 0.001 ? copy : nil
    }

    /// The whole map of a picture of that size in display pixels, its upright result moved to the origin.
    func transform(width: Double, height: Double) -> Affine {
        let xs = [0, a * width, c * height, a * width + c * height]
        let ys = [0, b * width, d * height, b * width + d * height]
        // 0 - 0 is +0; a -0 would show in files.
        return Affine(a: a + 0, b: b + 0, c: c + 0, d: d + 0, tx: 0 - (xs.min() ?? 0), ty: 0 - (ys.min() ?? 0))
    }

    /// The clockwise turn to the nearest quarter, 0, 90, 180 or 270; of a mirrored picture, the turn that is left once
    /// it was mirrored left to right.
    var degrees: Int {
        let isMirrored = a * d - b * c < 0
        let quarters = Int((atan2(isMirrored ? -b : b, isMirrored ? -a : a) / (.pi / 2)).rounded())
        return ((quarters % 4) + 4) % 4 * 90
    }
}
