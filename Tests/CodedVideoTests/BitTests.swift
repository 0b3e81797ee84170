import CodedVideo
import TestTools
import Testing

@Suite("Bits, emulation prevention and units")
struct BitTests {
    @Test("What is written is read, at any place")
    func roundTrip() throws {
        var numbers = SeededNumbers(seed: 33)
        for _ in 0..<200 {
            var writer = BitWriter()
            var fields: [(kind: Int, value: Int, width: Int)] = []
            for _ in 0..<numbers.next(in: 1..<40) {
                let width = numbers.next(in: 0..<33)
                let value = Int(numbers.next() & ((1 << UInt64(width)) - 1))
                let kind = numbers.next(in: 0..<2)
                if kind == 0 { writer.bits(value, width) } else { writer.ue(min(value, 0xffff_fffe)) }
                fields.append((kind, kind == 0 ? value : min(value, 0xffff_fffe), width))
            }
            let count = writer.count
            writer.trailingBits()
            #expect(BitReader.contentLength(writer.bytes) == count)
            var reader = BitReader(writer.bytes)
            for field in fields {
                #expect(try field.kind == 0 ? reader.bits(field.width) == field.value : reader.ue("") == field.value)
            }
            // Copied from any bit on, the rest is the same.
            let start = numbers.next(in: 0..<count + 1)
            var (copy, shifted) = (BitWriter(), BitReader(writer.bytes))
            copy.bits(5, 3)
            copy.copy(start..<count, of: writer.bytes)
            try shifted.skip(start)
            var other = BitReader(copy.bytes)
            try other.skip(3)
            for _ in start..<count { #expect(try shifted.flag() == other.flag()) }
        }
    }

    @Test("A reader stops at its end and at codes that are too long")
    func ends() throws {
        var reader = BitReader([0x80])
        _ = try reader.bits(8)
        #expect(throws: BitstreamFault.ended) { try reader.flag() }
        #expect(throws: BitstreamFault.ended) { try reader.bits(1) }
        #expect(throws: BitstreamFault.ended) { try reader.skip(1) }
        var zeros = BitReader(Array(repeating: 0, count: 20))
        #expect(throws: BitstreamFault.outOfRange("a number")) { try zeros.ue("a number") }
        // Codes of the standard: 1, 010, 011, 00100 are 0, 1, -1, 2 as signed numbers.
        var signed = BitReader([0b1010_0110, 0b0100_0000])
        #expect(try (0..<4).map { _ in try signed.se("") } == [0, 1, -1, 2])
        var large = BitWriter()
        large.ue(0xffff_fffe)
        var again = BitReader(large.bytes)
        #expect(try again.ue("") == 0xffff_fffe && large.count == 63)
        #expect(BitReader.contentLength([0, 0]) == nil && BitReader.contentLength([UInt8]()) == nil)
    }

    @Test("Emulation prevention goes and comes back, and no start code is left")
    func emulationPrevention() {
        // The standard's own example: the four sequences that may not stand in a unit.
        for last in [UInt8](0...3) {
            #expect(EmulationPrevention.added(to: [9, 0, 0, last, 7]) == [9, 0, 0, 3, last, 7])
        }
        #expect(EmulationPrevention.added(to: [9, 0, 0, 4]) == [9, 0, 0, 4])
        #expect(EmulationPrevention.added(to: [9, 0, 0]) == [9, 0, 0, 3])
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<500 {
            let bytes = (0..<numbers.next(in: 1..<60)).map { _ in UInt8([0, 0, 0, 1, 3, 200][numbers.next(in: 0..<6)]) }
            let unit = EmulationPrevention.added(to: bytes)
            #expect(EmulationPrevention.removed(from: unit) == bytes)
            for index in unit.indices.dropLast(2) where unit[index] == 0 && unit[index + 1] == 0 {
                #expect(unit[index + 2] >= 3)
            }
        }
    }

    @Test("Units of a byte stream, with start codes of three and four bytes and zeros behind units")
    func byteStream() {
        let stream: [UInt8] = [0, 0, 0, 1, 9, 16, 0, 0, 1, 0x65, 1, 2, 0, 0, 0, 0, 1, 0x41, 0, 0, 3, 1, 0, 0]
        let units = NALUnits.annexB(stream[...]).map { Array($0) }
        #expect(units == [[9, 16], [0x65, 1, 2], [0x41, 0, 0, 3, 1]])
        #expect(NALUnits.annexB([1, 2, 3][...]).isEmpty && NALUnits.annexB([0, 0, 1][...]).isEmpty)
        #expect(NALUnits.annexB(NALUnits.annexB(units)[...]).map { Array($0) } == units)
    }

    @Test("Units behind lengths of one, two, three and four bytes", arguments: 1...4)
    func lengths(_ size: Int) throws {
        let units: [[UInt8]] = [[9, 16], [0x65] + Array(repeating: 7, count: 200), [0x41]]
        var packet: [UInt8] = []
        for unit in units {
            packet += Array(repeating: 0, count: size - 1) + [UInt8(unit.count)] + unit
        }
        #expect(try NALUnits.lengthPrefixed(packet[...], lengthSize: size).map { Array($0) } == units)
        if size == 4 { #expect(NALUnits.lengthPrefixed(units) == packet) }
        #expect(throws: BitstreamFault.ended) { try NALUnits.lengthPrefixed(packet.dropLast(), lengthSize: size) }
    }

    @Test("Units with start codes between them under one length come apart")
    func severalUnderOneLength() throws {
        let packet: [UInt8] = [0, 0, 0, 9, 0x6e, 1, 0, 0, 0, 1, 0x65, 2, 3]
        #expect(
            try NALUnits.lengthPrefixed(packet[...], lengthSize: 4).map { Array($0) } == [[0x6e, 1], [0x65, 2, 3]])
    }

    @Test("Messages of SEI with types and sizes of 255 and more")
    func messages() throws {
        let list = [
            SEIMessage(type: 300, payload: Array(repeating: 0, count: 600)), SEIMessage(type: 6, payload: [0xc0]),
            SEIMessage(type: 4, payload: [0xb5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, 0xff]),
        ]
        let unit = SEIMessage.unit(header: [6], list)
        #expect(try SEIMessage.list(of: unit, headerLength: 1) == list)
        #expect(list.map(\.isCaptions) == [false, false, true])
        #expect(throws: BitstreamFault.ended) { try SEIMessage.list(of: [6, 5, 9, 1, 0x80], headerLength: 1) }
    }
}
