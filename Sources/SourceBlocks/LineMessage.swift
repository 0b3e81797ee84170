import Diagnostics
import Foundation

// The messages between the half of a worker that reads media and the one that has its network. All numbers are
// little-endian. A request has 20 bytes:
//
//     4 bytes   its number, which its answer has again
//     4 bytes   the number of the source
//     4 bytes   0: the source's map; 1: a block; 2: an extent; 3: the source's packet index
//     8 bytes   the number of the block or the extent; 0 for a map and for an index
//
// An answer has 12 bytes, and then as many as they say: the bytes asked for, or an error as JSON. No bytes follow where
// a file that is open for reading comes with the answer: the bytes asked for are its first ones.
//
//     4 bytes   the number of the request
//     4 bytes   0: the bytes; 1: an error; 2: a file
//     4 bytes   the number of the bytes that follow, or of those in the file

/// A question of the media half.
struct LineRequest {
    enum Thing: Equatable {
        case map
        case unit(BlockUnit)
        case index
    }

    let number: UInt32
    let source: UInt32
    let thing: Thing

    static let byteCount = 20

    init(number: UInt32, source: UInt32, thing: Thing) {
        self.number = number
        self.source = source
        self.thing = thing
    }

    /// Reads a request; nil for bytes that are none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let place = bytes.number(at: 12, 8)
        switch bytes.number(at: 8, 4) {
        case 0 where place == 0: thing = .map
        case 1 where place < 1 << 40: thing = .unit(BlockUnit(.block, Int(place)))
        case 2 where place < 1 << 40: thing = .unit(BlockUnit(.extent, Int(place)))
        case 3 where place == 0: thing = .index
        default: return nil
        }
        number = UInt32(bytes.number(at: 0, 4))
        source = UInt32(bytes.number(at: 4, 4))
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.put(UInt64(number), 4)
        bytes.put(UInt64(source), 4)
        switch thing {
        case .map, .index:
            bytes.put(thing == .map ? 0 : 3, 4)
            bytes.put(0, 8)
        case .unit(let unit):
            bytes.put(unit.grain == .block ? 1 : 2, 4)
            bytes.put(UInt64(unit.number), 8)
        }
        return bytes
    }
}

/// The start of an answer of the network's half.
struct LineAnswer {
    enum Kind: UInt32 {
        case bytes, error, file
    }

    let number: UInt32
    let kind: Kind
    /// The number of bytes that follow, or of those in the file.
    let count: Int

    static let byteCount = 12
    /// The most bytes of a thing: an index of millions of packets.
    static let mostBytes = 256 << 20
    /// The most bytes of an error.
    static let mostErrorBytes = 1 << 16

    /// Reads the start of an answer; nil for bytes that are none, and for more bytes to follow than any thing has.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let kind = Kind(rawValue: UInt32(bytes.number(at: 4, 4))) else {
            return nil
        }
        number = UInt32(bytes.number(at: 0, 4))
        self.kind = kind
        count = Int(bytes.number(at: 8, 4))
        guard count <= (kind == .error ? Self.mostErrorBytes : Self.mostBytes) else { return nil }
    }

    /// The number of bytes that follow.
    var following: Int { kind == .file ? 0 : count }

    /// The start of an answer, the bytes that follow it, and the file that comes with it: apart, so that a block is not
    /// copied once more.
    static func parts(
        to number: UInt32, _ result: Result<UnitBytes, SplitreelError>
    ) -> (start: [UInt8], bytes: [UInt8], file: CachedFile?) {
        var start: [UInt8] = []
        func put(_ kind: Kind, _ count: Int) {
            start.put(UInt64(number), 4)
            start.put(UInt64(kind.rawValue), 4)
            start.put(UInt64(count), 4)
        }
        switch result {
        case .success(.memory(let bytes)):
            put(.bytes, bytes.count)
            return (start, bytes, nil)
        case .success(.file(let file, let count)):
            put(.file, count)
            return (start, [], file)
        case .failure(let error):
            let text = [UInt8]((try? JSONEncoder().encode(error)) ?? Data())
            let told = text.count <= mostErrorBytes ? text : []
            put(.error, told.count)
            return (start, told, nil)
        }
    }

    /// The result that the bytes behind the start tell, or the file that came with it.
    func result(_ bytes: [UInt8], _ descriptor: Int32?, subject: String) -> Result<UnitBytes, SplitreelError> {
        switch kind {
        case .bytes: return .success(.memory(bytes))
        case .file:
            if let file = descriptor.flatMap({ CachedFile($0, mostCount: count) }) {
                return .success(.file(file, count: count))
            }
            return .failure(notDelivered(subject, "the file with its bytes did not come, or is too short"))
        case .error: break
        }
        let error = try? JSONDecoder().decode(SplitreelError.self, from: Data(bytes))
        return .failure(error ?? notDelivered(subject, "an error came that cannot be read"))
    }
}

extension [UInt8] {
    /// The number in `length` bytes from a place, the lowest first.
    fileprivate func number(at place: Int, _ length: Int) -> UInt64 {
        self[place..<place + length].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    fileprivate mutating func put(_ number: UInt64, _ length: Int) {
        for index in 0..<length { append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
    }
}
