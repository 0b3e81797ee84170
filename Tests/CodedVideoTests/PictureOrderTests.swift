import CodedVideo
import Foundation
import TestTools
import Testing

/// The order in which pictures say that they are shown. Of films that ffmpeg makes it is the order of the container's
/// times, which ffprobe reads. Of headers that no encoder here writes it is counted by hand, as the standards say.
@Suite("The order of pictures")
struct PictureOrderTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("orders") }

    /// The packets' numbers by the orders of their pictures; throws where one has none.
    private func numbers(_ film: Film) throws -> [Int] {
        var rules = EntryRules(film.isHEVC ? .hevc : .h264, header: film.record)
        let orders = try film.packets.map { one in
            _ = rules.take(NALUnits.lengthPrefixed(one.units))
            return try #require(rules.order)
        }
        #expect(Set(orders).count == orders.count)
        return orders.indices.sorted { orders[$0] < orders[$1] }
    }

    /// Pyramids, open and closed groups, weights, slices, one order type after the other.
    @Test("Films of x264 and x265", arguments: MadeStream.allCases.filter { ![.interlaced, .hevcFields].contains($0) })
    func films(stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        #expect(try numbers(film) == film.packets.indices.sorted { film.packets[$0].time < film.packets[$1].time })
    }

    /// 320 frames in one group: the counts of HEVC wrap at 256, and those of H.264 at 32.
    @Test(arguments: ["libx264", "libx265"]) func countsThatWrapAround(encoder: String) throws {
        let path = folder.file("long.mp4")
        let options =
            encoder == "libx264"
            ? ["-x264-params", "keyint=400:scenecut=0:bframes=3:b-pyramid=none:b-adapt=0"]
            : ["-tag:v", "hvc1", "-x265-params", "keyint=400:scenecut=0:bframes=3:b-adapt=0:log-level=none"]
        try Witness(in: folder).ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25", "-frames:v", "320", "-c:v", encoder] + options + [path])
        let film = try Film(path, in: folder)
        #expect(film.packets.count(where: \.isKey) == 1)
        #expect(try numbers(film) == film.packets.indices.sorted { film.packets[$0].time < film.packets[$1].time })
    }

    /// A row in the order of decoding, as of a film without times of presentation, and one with two frames swapped.
    @Test func aRowThatIsOutOfOrder() throws {
        let film = try MadeStream.weighted.make(in: folder)
        var list = EntryList(.h264, header: film.record)
        for one in film.packets { list.take(NALUnits.lengthPrefixed(one.units)) }
        let times = film.packets.map(\.time)
        let end = try #require(film.packets.indices.dropFirst().first { film.packets[$0].isKey })
        let row = (0..<end).sorted { times[$0] < times[$1] }.map(Int32.init)
        #expect(row.count > 9 && list.disorder(row) == nil)
        let decoded = try #require(list.disorder(row.sorted()))
        #expect(decoded.isEarlier && decoded.place == (1..<end).first { times[$0] < times[$0 - 1] })
        var swapped = row
        swapped.swapAt(7, 8)
        #expect(list.disorder(swapped)?.place == 8)
        #expect(list.disorder([Int32(film.packets.count)])?.isEarlier == false)
    }

    @Test("A packet whose picture cannot be read has no order") func noPicture() throws {
        let film = try MadeStream.cabac.make(in: folder)
        var rules = EntryRules(.h264, header: film.record)
        _ = rules.take(NALUnits.lengthPrefixed(film.packets[0].units))
        #expect(rules.order == PictureOrder(round: 1, count: 0))
        _ = rules.take(NALUnits.lengthPrefixed([[9, 0xf0]]))
        #expect(rules.order == nil)
        // A slice by a PPS that is not there.
        var writer = BitWriter()
        writer.bits(0x41, 8)
        for value in [0, 5, 30] { writer.ue(value) }
        writer.trailingBits()
        _ = rules.take(NALUnits.lengthPrefixed([writer.bytes]))
        #expect(rules.order == nil)
    }

    // MARK: - H.264 by hand

    private func orders(_ stream: WrittenH264, _ pictures: [WrittenH264.Picture]) throws -> [[Int]] {
        var rules = EntryRules(.h264, header: NALUnits.annexB(stream.sets))
        #expect(rules.fault == nil)
        return try pictures.map { picture in
            _ = rules.take(NALUnits.annexB([stream.slice(picture)]))
            let order = try #require(rules.order)
            return [Int(order.round), Int(order.count)]
        }
    }

    /// Four bits wrap at 16. Counts go by the reference before: behind one of 4 a 14 is −2, behind one of 10 a 2 is 18,
    /// and behind that a 14 is 14. Frames count by the lesser of their fields.
    @Test func orderType0() throws {
        let made = try orders(
            WrittenH264(orderType: 0),
            [
                .init(isIDR: true, number: 0, lsb: 0), .init(number: 1, lsb: 4),
                .init(isReference: false, number: 2, lsb: 14), .init(number: 2, lsb: 10),
                .init(number: 3, lsb: 2), .init(isReference: false, number: 4, lsb: 14),
                .init(number: 4, lsb: 8, toBottom: -3), .init(isIDR: true, number: 0, lsb: 0),
            ])
        #expect(made == [[1, 0], [1, 4], [1, -2], [1, 10], [1, 18], [1, 14], [1, 21], [2, 0]])
    }

    /// References come every 6, and others 4 before them and by what they say. The numbers wrap at 16 frames.
    @Test func orderType1() throws {
        let stream = WrittenH264(orderType: 1)
        let made = try orders(
            stream,
            [
                .init(isIDR: true, number: 0), .init(number: 1), .init(isReference: false, number: 2),
                .init(isReference: false, number: 2, delta: 2), .init(number: 2),
                .init(isReference: false, number: 3, toBottom: -9),
            ])
        #expect(made == [[1, 0], [1, 6], [1, 2], [1, 4], [1, 12], [1, -1]])
        let long = try orders(stream, (0..<40).map { .init(isIDR: $0 == 0, number: $0 % 16) })
        #expect(long == (0..<40).map { [1, 6 * $0] })
    }

    @Test func orderType2() throws {
        let made = try orders(
            WrittenH264(orderType: 2),
            (0..<40).map { .init(isIDR: $0 == 0, isReference: $0 % 3 != 2, number: ($0 - $0 / 3) % 16) })
        #expect(made.map { $0[0] } == Array(repeating: 1, count: 40))
        #expect(made.map { $0[1] } == (0..<40).map { 2 * ($0 - $0 / 3) - ($0 % 3 == 2 ? 1 : 0) })
        #expect(zip(made, made.dropFirst()).allSatisfy { $0[1] < $1[1] })
    }

    /// Behind operation 5 all counts begin anew, and what was before is shown before. The frame's own becomes 0, and
    /// its top field's 3 where the bottom one is 3 before it: an 11 behind that is 11.
    @Test(arguments: [
        (0, [[1, 0], [1, 6], [2, 0], [2, 11], [2, 6]]), (1, [[1, 0], [1, 6], [2, 0], [2, 6], [2, 2]]),
    ])
    func operation5(type: Int, expected: [[Int]]) throws {
        let made = try orders(
            WrittenH264(orderType: type),
            [
                .init(isIDR: true, number: 0, lsb: 0), .init(number: 1, lsb: 6),
                .init(number: 2, lsb: 9, toBottom: -3, resets: true), .init(number: 1, lsb: 11),
                .init(isReference: false, number: 2, lsb: 6),
            ])
        #expect(made == expected)
    }

    // MARK: - HEVC by hand

    /// A CRA picture goes on with what is before it, but for one behind an end of sequence: what leads to that one is
    /// not shown, and it counts anew.
    @Test func sequencesOfHEVC() throws {
        let film = try MadeStream.hevc.make(in: folder)
        let keys = film.packets.indices.filter { film.packets[$0].isKey }
        var rules = EntryRules(.hevc, header: film.record)
        func orders(_ packets: [[ArraySlice<UInt8>]]) -> [PictureOrder?] {
            packets.map { units in
                _ = rules.take(NALUnits.lengthPrefixed(units))
                return rules.order
            }
        }
        let first = film.packets[..<keys[1]].map(\.units)
        let next = film.packets[keys[1]..<keys[2]].map(\.units)
        let whole = orders(first + next)
        #expect(whole.allSatisfy { $0?.round == 1 })
        // The units 36 are ends of sequences. Leading pictures have the types 8 and 9.
        let ended = orders(first.dropLast() + [(first.last ?? []) + [[72, 1]]] + next)
        let isLeading = next.map { units in units.contains { HEVCNAL($0).map { [8, 9].contains($0.type) } == true } }
        #expect(isLeading.contains(true) && isLeading.contains(false))
        for (place, order) in ended[first.count...].enumerated() {
            #expect((order == nil) == isLeading[place], "picture \(place)")
            #expect(order?.round ?? 3 == 3, "picture \(place)")
        }
    }
}

/// Units of H.264 whose bits the test lays: frames of 64 × 64, without data. Numbers of the order have four bits,
/// as has `frame_num`.
private struct WrittenH264 {
    struct Picture {
        var isIDR = false
        var isReference = true
        var number: Int
        /// `pic_order_cnt_lsb`, of order type 0.
        var lsb = 0
        /// `delta_pic_order_cnt[0]`, of order type 1.
        var delta = 0
        /// `delta_pic_order_cnt_bottom`, or `delta_pic_order_cnt[1]`.
        var toBottom = 0
        /// Whether it has memory management control operation 5.
        var resets = false
    }

    let orderType: Int

    private func unit(_ header: UInt8, _ write: (inout BitWriter) -> Void) -> [UInt8] {
        var writer = BitWriter()
        writer.bits(Int(header), 8)
        write(&writer)
        writer.trailingBits()
        return EmulationPrevention.added(to: writer.bytes)
    }

    var sets: [[UInt8]] {
        let sps = unit(0x67) { writer in
            for byte in [77, 0, 30] { writer.bits(byte, 8) }
            for value in [0, 0, orderType] { writer.ue(value) }
            if orderType == 0 { writer.ue(0) }
            if orderType == 1 {
                // Deltas are there. Others come 4 before a reference, bottom fields with the top ones, references
                // every 6.
                writer.flag(false)
                for value in [-4, 0] { writer.se(value) }
                writer.ue(1)
                writer.se(6)
            }
            writer.ue(2)
            writer.flag(false)
            for value in [3, 3] { writer.ue(value) }
            // Frames alone, direct inference, no cropping, no VUI.
            for bit in [true, true, false, false] { writer.flag(bit) }
        }
        let pps = unit(0x68) { writer in
            for value in [0, 0] { writer.ue(value) }
            // CAVLC; the order of bottom fields is there.
            for bit in [false, true] { writer.flag(bit) }
            for value in [0, 0, 0] { writer.ue(value) }
            writer.flag(false)
            writer.bits(0, 2)
            for value in [0, 0, 0] { writer.ue(value) }
            for bit in [false, false, false] { writer.flag(bit) }
        }
        return [sps, pps]
    }

    func slice(_ picture: Picture) -> [UInt8] {
        unit(picture.isIDR ? 0x65 : picture.isReference ? 0x41 : 0x01) { writer in
            // The first block, I, the PPS.
            for value in [0, 7, 0] { writer.ue(value) }
            writer.bits(picture.number, 4)
            if picture.isIDR { writer.ue(0) }
            if orderType == 0 { writer.bits(picture.lsb, 4) }
            if orderType == 1 { writer.se(picture.delta) }
            if orderType < 2 { writer.se(picture.toBottom) }
            if picture.isIDR {
                for bit in [false, false] { writer.flag(bit) }
            } else if picture.isReference {
                writer.flag(picture.resets)
                if picture.resets { for value in [5, 0] { writer.ue(value) } }
            }
            writer.ue(0)
        }
    }
}

extension BitWriter {
    /// Appends a signed number in Exp-Golomb code.
    fileprivate mutating func se(_ value: Int) { ue(value > 0 ? 2 * value - 1 : -2 * value) }
}
