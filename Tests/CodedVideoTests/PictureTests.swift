import CodedVideo
import Foundation
import TestTools
import Testing

/// FFmpeg decodes what is copied between two points to the frames that it makes of the whole, and complains of nothing.
@Suite("What packets hold, and where copies begin and end")
struct PictureTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("pictures") }

    @Test("Keys of the container are IDR pictures or places to begin", arguments: MadeStream.allCases)
    func keys(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let pictures = try film.pictures()
        #expect(pictures.count == 50)
        #expect(pictures.map(\.mayStartWithoutLeading) == film.packets.map(\.isKey))
        #expect(pictures.allSatisfy { $0.slices == (stream == .slices ? 4 : stream == .hevcSlices ? 3 : 1) })
        let (idr, cra) = (pictures.count { $0.kind == .idr }, pictures.count { $0.kind == .cleanRandomAccess })
        switch stream {
        case .openGOP:
            // One IDR; the other keys are recovery points.
            #expect(idr == 1 && pictures.count { $0.kind == .recovery } == 4)
            #expect(pictures.compactMap(\.recovery).allSatisfy { $0.count == 0 && $0.isExact })
        case .hevc:
            #expect(idr == 1 && cra == 4)
            #expect(pictures.contains { $0.kind == .skippedLeading })
        case .hevcClosed:
            #expect(cra == 0 && pictures.contains { $0.kind == .decodableLeading })
        case .buffers: #expect(pictures.filter(\.mayStart).allSatisfy { $0.hasBufferingPeriod })
        case .hevcFields: #expect(Set(pictures.map(\.structure)) == [.topField, .bottomField])
        case .spsThree: #expect(pictures.allSatisfy { $0.hasDelimiter && $0.spsIDs == [3] })
        default: break
        }
    }

    /// The film's witness of what nothing refers to: decoding goes on without these pictures, and the others stay.
    @Test(
        "Without a picture that nothing refers to, the others decode as before",
        arguments: [MadeStream.weighted, .openGOP, .slices, .hevc, .hevcClosed, .hevcScaled])
    func references(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let pictures = try film.pictures()
        let (times, frames) = (film.packets.map(\.time), try film.decoded(film.units))
        let kept = pictures.indices.filter { pictures[$0].isReference }
        #expect(kept.count < 50 || stream == .slices)
        let shown = Self.shown(kept, times)
        #expect(try film.decoded(film.units(of: kept)) == shown.map { frames[$0] })
    }

    @Test(
        "Copies between points decode to the frames of the whole",
        arguments: [
            MadeStream.weighted, .interlaced, .slices, .spsThree, .openGOP, .buffers, .hevc, .hevcWeighted, .hevcClosed,
            .hevcBuffers, .hevcFields,
        ])
    func copies(_ stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let pictures = try film.pictures()
        let times = film.packets.map(\.time)
        let frames = try film.decoded(film.units)
        let points = CopyPoints(pictures, times: times)
        #expect(points.starts.first?.index == 0 && points.mayEnd(before: 50))
        #expect(points.starts.count == (stream == .openGOP ? 1 : film.packets.count { $0.isKey }))
        for start in points.starts {
            #expect(start.isClosed == (pictures[start.index].kind == .idr))
            // The first end behind the start, one in the middle, the last.
            let ends = (start.index + 1...50).filter(points.mayEnd(before:))
            for end in Set([ends[0], ends[ends.count / 2], ends[ends.count - 1]]) {
                let copied = (start.index..<end).filter { !start.leading.contains($0) }
                // All that is copied is shown without a gap.
                let shown = Self.shown(copied, times)
                #expect(shown == Array(shown[0]..<shown[0] + shown.count))
                #expect(try film.decoded(film.units(of: copied)) == shown.map { frames[$0] }, "\(start.index)..<\(end)")
            }
        }
    }

    @Test("A CRA picture behind something else becomes a BLA picture, and nothing is wrong or missing")
    func brokenLink() throws {
        let film = try MadeStream.hevc.make(in: folder)
        let points = CopyPoints(try film.pictures(), times: film.packets.map(\.time))
        let frames = try film.decoded(film.units)
        let start = try #require(points.starts.last)
        let times = film.packets.map(\.time)
        let first = Array(0..<points.starts[1].index)
        let second = (start.index..<50).filter { !start.leading.contains($0) }
        var units = film.units(of: first)
        for (index, packet) in film.packets.enumerated() where second.contains(index) {
            units += packet.units.map { index == start.index ? HEVCNAL.brokenLink($0) : Array($0) }
        }
        let expected = (Self.shown(first, times) + Self.shown(second, times)).map { frames[$0] }
        #expect(try film.decoded(units) == expected)
    }

    @Test("No copy ends between pictures that are decoded and shown in another order, or between two fields")
    func ends() {
        var (key, inner) = (CodedPicture(), CodedPicture())
        (key.kind, inner.kind) = (.idr, .inner)
        // I0 P3 B1 B2 I4
        let points = CopyPoints([key, inner, inner, inner, key], times: [0, 3, 1, 2, 4])
        #expect((0...5).map(points.mayEnd(before:)) == [true, true, false, false, true, true])
        #expect(!points.mayEnd(before: 6) && !points.mayEnd(before: -1))
        #expect(points.starts.map(\.index) == [0, 4])
        // An IDR picture that is shown after one behind it is none to begin at.
        #expect(CopyPoints([key, inner], times: [1, 0]).starts.isEmpty)
        // A recovery point of H.264 begins no copy.
        var recovery = CodedPicture()
        recovery.kind = .recovery
        #expect(CopyPoints([recovery, inner], times: [0, 1]).starts.isEmpty)
        // A CRA picture begins one without what is shown before it.
        recovery.kind = .cleanRandomAccess
        #expect(CopyPoints([recovery, inner], times: [1, 0]).starts.map(\.leading) == [[1]])
        // Fields as packets of their own.
        var (top, bottom) = (CodedPicture(), CodedPicture())
        (top.structure, bottom.structure, top.kind) = (.topField, .bottomField, .idr)
        let fields = CopyPoints([top, bottom, top, bottom], times: [0, 1, 2, 3])
        #expect((0...4).map(fields.mayEnd(before:)) == [true, false, true, false, true])
    }

    @Test("Captions, recovery points and sets in band are seen")
    func messages() throws {
        let film = try MadeStream.openGOP.make(in: folder)
        var reader = H264PictureReader(sets: try H264ParameterSets(film.sets))
        let captions = SEIMessage.unit(
            header: [6], [SEIMessage(type: 4, payload: [0xb5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, 0x40, 0xff])])
        let picture = try reader.picture([captions[...]] + film.sets.map { $0[...] } + film.packets[0].units)
        #expect(picture.hasCaptions && picture.kind == .idr && picture.isIntra)
        #expect(picture.parameterSets.map(\.kind) == [.sequence, .picture])
        #expect(picture.parameterSets.map(\.unit) == film.sets)
        var bare = H264PictureReader(sets: H264ParameterSets())
        #expect(throws: BitstreamFault.missing("PPS 0")) { try bare.picture(film.packets[0].units) }
        let twice = film.packets[0].units + film.packets[0].units
        #expect(throws: BitstreamFault.unsupported("a packet of several frames")) { try reader.picture(twice) }
    }

    /// The places in the order of showing, in the whole film, of pictures by their places in the order of decoding.
    private static func shown(_ list: [Int], _ times: [Int64]) -> [Int] {
        let order = times.sorted()
        return list.compactMap { order.firstIndex(of: times[$0]) }.sorted()
    }
}

extension Film {
    /// The sets of the record, and the units of some packets in order.
    fileprivate func units(of list: [Int]) -> [[UInt8]] {
        sets + list.flatMap { packets[$0].units.map { Array($0) } }
    }

    /// The pictures of all packets, in the order of decoding.
    fileprivate func pictures() throws -> [CodedPicture] {
        if isHEVC {
            var reader = HEVCPictureReader(sets: try HEVCParameterSets(sets))
            return try packets.map { try reader.picture($0.units) }
        }
        var reader = H264PictureReader(sets: try H264ParameterSets(sets))
        return try packets.map { try reader.picture($0.units) }
    }
}
