import CodedVideo
import Foundation
import TestTools
import Testing

/// Where copies of groups may begin: at the keys of closed streams, which ffprobe names, and only at the first of open
/// ones, as their encoders were told to make them.
@Suite("Packets that a decoder is begun anew with")
struct EntryRulesTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder("entries") }

    private func rules(_ film: Film) -> EntryRules { EntryRules(film.isHEVC ? .hevc : .h264, header: film.record) }

    private func packet(_ units: [some Collection<UInt8>]) -> [UInt8] { NALUnits.lengthPrefixed(units) }

    @Test(arguments: [MadeStream.cabac, .cavlc, .slices, .spsThree, .buffers, .hevcSlices, .hevcClosed])
    func closedStreamsBeginAtEachKey(stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        var rules = rules(film)
        #expect(rules.fault == nil && rules.setNumbers == [stream == .spsThree ? 3 : 0])
        for (number, one) in film.packets.enumerated() {
            #expect(rules.take(packet(one.units)) == (one.isKey ? .start : .middle), "packet \(number)")
        }
        #expect(rules.isByHeader && rules.numberingFault == nil)
    }

    @Test(arguments: [MadeStream.openGOP, .hevc])
    func openStreamsBeginOnce(stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        var rules = rules(film)
        let entries = film.packets.map { rules.take(packet($0.units)) }
        #expect(entries.first == .start && entries.dropFirst().allSatisfy { $0 == .middle })
        #expect(film.packets.count(where: \.isKey) == 5)
    }

    @Test(arguments: [MadeStream.interlaced, .hevcFields]) func fieldsAreNotCopied(stream: MadeStream) throws {
        #expect(rules(try stream.make(in: folder)).fault?.contains("field") == true)
    }

    /// `cabac` says nothing, `hevcDeep` that it is HDR.
    @Test(arguments: [(MadeStream.cabac, false), (.hevcClosed, false), (.hevcDeep, true)])
    func coloursThatTheHeaderNames(stream: MadeStream, names: Bool) throws {
        #expect(rules(try stream.make(in: folder)).namesColours == names)
    }

    @Test func entriesAreCountedByPackets() throws {
        let film = try MadeStream.cavlc.make(in: folder)
        var list = EntryList(.h264, header: film.record)
        for one in film.packets { list.take(packet(one.units)) }
        #expect(list.starts == film.packets.indices.filter { film.packets[$0].isKey } && list.fault == nil)
        #expect(!list.isForeign(film.packets.indices))
        let other = try MadeStream.cabac.make(in: folder)
        list.take(packet(other.sets.map { $0[...] } + film.packets[0].units))
        let last = film.packets.count
        #expect(list.isForeign(last..<last + 1) && !list.isForeign(0..<last))
    }

    /// The bit is found by ffmpeg, and set in the first slice alone.
    @Test(
        "A picture that keeps those before it from being shown begins no copy",
        arguments: [MadeStream.cavlc, .hevcClosed])
    func framesBeforeACopyAreShown(stream: MadeStream) throws {
        let film = try stream.make(in: folder)
        let path = try folder.write(Data(NALUnits.annexB(film.units)), to: "stream")
        let trace = try HeaderTrace(path, isHEVC: film.isHEVC, in: folder)
        let flag = try #require(
            trace.units.flatMap(\.fields).first { $0.name == "no_output_of_prior_pics_flag" })
        #expect(flag.value == 0)
        let units = film.packets[0].units.map(Array.init)
        let slice = try #require(units.firstIndex { film.isHEVC ? $0[0] >> 1 < 32 : $0[0] & 31 == 5 })
        var changed = units
        changed[slice] = EmulationPrevention.removed(from: units[slice])
        changed[slice][flag.position / 8] |= 0x80 >> (flag.position % 8)
        changed[slice] = EmulationPrevention.added(to: changed[slice])
        var rules = rules(film)
        #expect(rules.take(packet(units)) == .start)
        #expect(rules.take(packet(changed)) == .middle)
    }

    /// Later slices name the place as well, and a decoder takes none of them. The group that has the picture is
    /// rendered, be it the first one or another.
    @Test(arguments: [0, 2]) func aPictureWithoutItsFirstSliceIsNotCopied(number: Int) throws {
        let film = try MadeStream.hevcSlices.make(in: folder)
        var (list, rules) = (EntryList(.hevc, header: film.record), rules(film))
        for (place, one) in film.packets.enumerated() {
            var units = one.units
            if place == number { units.remove(at: try #require(units.firstIndex { HEVCNAL($0)?.isSlice == true })) }
            #expect(units.contains { HEVCNAL($0)?.isSlice == true })
            _ = rules.take(packet(units))
            #expect((rules.order == nil) == (place == number), "packet \(place)")
            list.take(packet(units))
        }
        let keys = film.packets.indices.filter { film.packets[$0].isKey }
        let groups = zip(keys, keys.dropFirst()).map { start, end in
            (start..<end).sorted { film.packets[$0].time < film.packets[$1].time }.map(Int32.init)
        }
        #expect(list.fault == nil && groups.count > 1)
        let found = try #require(groups.first.flatMap { list.disorder($0) })
        #expect(!found.isEarlier && groups.first?[found.place] == Int32(number))
        #expect(groups.dropFirst().allSatisfy { list.disorder($0) == nil })
    }

    @Test func whatTheFilmsHeaderCannotTellIsNotCopied() throws {
        let film = try MadeStream.cabac.make(in: folder)
        // A view of another eye, an alpha channel, and what tells of one.
        for unit: [UInt8] in [[0x74, 0, 0, 0x80], [0x13, 0x80], [0x0d, 0x80]] {
            var rules = rules(film)
            guard case .unfit = rules.take(packet(film.packets[0].units + [unit[...]])) else {
                Issue.record("unit \(unit) is copied")
                continue
            }
        }
        let other = try MadeStream.hevcClosed.make(in: folder)
        var rules = rules(other)
        // A slice of layer 1.
        guard case .unfit = rules.take(packet(other.packets[0].units + [[0x02, 0x09, 0x80][...]])) else {
            Issue.record("a layer is copied")
            return
        }
    }

    @Test func captionsAreNotCopied() throws {
        let film = try MadeStream.cabac.make(in: folder)
        let captions = SEIMessage.unit(
            header: [6], [SEIMessage(type: 4, payload: [0xb5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, 0x40, 0xff])])
        var rules = rules(film)
        guard case .unfit = rules.take(packet([captions[...]] + film.packets[0].units)) else {
            Issue.record("captions are copied")
            return
        }
    }

    @Test("Groups behind other sets than the header's do not go by it, until it is told again")
    func setsOfAnotherContent() throws {
        let film = try MadeStream.cabac.make(in: folder)
        let other = try MadeStream.cavlc.make(in: folder)
        var rules = rules(film)
        _ = rules.take(packet(other.sets.map { $0[...] } + film.packets[0].units))
        #expect(!rules.isByHeader)
        _ = rules.take(packet(film.sets.map { $0[...] } + film.packets[0].units))
        #expect(rules.isByHeader)
    }
}
