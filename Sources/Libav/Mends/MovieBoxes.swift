internal import Diagnostics
internal import Glibc
package import Pictures
internal import SplitreelFiles

/// Mends the wrong entries that libavformat writes into an MP4's or QuickTime file's index, once the file is finished.
/// The file must have been written by it just now: boxes of other sizes are a fault.
package enum MovieBoxes {
    /// Writes the pictures' light into the place that was kept for it: a fragmented film's index is written first.
    /// Throws `.muxFailed` where there is no such place.
    package static func write(_ light: ContentLight, path: String) throws {
        try update(path, operation: "writing the film's light") { file in
            let wanted = lightBox(MatroskaLight.placeholder)
            guard let place = file.index.firstPlace(of: wanted) else { return false }
            try file.write(Array(lightBox(light)), at: place)
            return true
        }
    }

    /// Hides tracks of text that nobody called the default ones: libavformat marks the first one as shown. `tracks` are
    /// their places in the file.
    package static func hide(_ tracks: [Int], path: String) throws {
        try update(path, operation: "writing which tracks are shown") { file in
            let headers = file.index.trackHeaders
            for track in tracks {
                guard headers.indices.contains(track) else { return false }
                // A header begins with size, name and version. Three bytes of flags follow, whose lowest bit is
                // "enabled".
                let flags = headers[track] + 11
                guard let byte = file.index[flags] else { return false }
                try file.write([byte & ~1], at: flags)
            }
            return true
        }
    }

    /// Turns the first track's picture, which players do as they show it. `map` is the picture's own pixels' to those
    /// that are shown. Throws `.muxFailed` where there is no track.
    package static func turn(by map: Affine, path: String) throws {
        try update(path, operation: "writing how the picture is turned") { file in
            guard let header = file.index.trackHeaders.first, let version = file.index[header + 8] else { return false }
            // After size, name, version and flags: times, id and duration, of 64 bits in version 1; then 16 bytes.
            let place = header + 12 + (version == 1 ? 32 : 20) + 16
            let numbers = [map.a, map.b, nil, map.c, map.d, nil, map.tx, map.ty, 1].map { number in
                number.map { Int32(($0 * 65536).rounded()) } ?? 0
            }
            var bytes = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
            // The last number counts in 2^-30.
            bytes.replaceSubrange(32..<36, with: [0x40, 0, 0, 0])
            try file.write(bytes, at: place)
            return true
        }
    }

    private static func lightBox(_ light: ContentLight) -> [UInt8] {
        [0, 0, 0, 12] + Array("clli".utf8)
            + [light.most, light.average].flatMap {
                [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
            }
    }

    /// Opens the file, lets `change` write into it, and waits until the disk has it. `change` returns false where the
    /// place to be changed is not there.
    private static func update(
        _ path: String, operation: String, _ change: (borrowing OpenMovie) throws -> Bool
    ) throws {
        func failure(_ reason: String) -> SplitreelError {
            SplitreelError(.muxFailed, operation: operation, subject: path, reason: reason)
        }
        guard let film = try? LocalFile(path: path), let index = MovieIndexBytes(FileWindow(film)) else {
            throw failure("it has no index")
        }
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("it cannot be opened again") }
        defer { close(descriptor) }
        guard try change(OpenMovie(index: index, descriptor: descriptor, path: path)) else {
            throw failure("its index has no place for it")
        }
        guard fsync(descriptor) == 0 else { throw failure("the disk does not take it") }
    }

    private struct OpenMovie {
        let index: MovieIndexBytes
        let descriptor: Int32
        let path: String

        func write(_ bytes: [UInt8], at place: Int) throws {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(place))
            }
            guard count == bytes.count else {
                throw SplitreelError(.diskFull, operation: "writing", subject: path, reason: "it was not written whole")
            }
        }
    }

    /// The box `moov` as it stands in the file.
    private struct MovieIndexBytes {
        private let bytes: [UInt8]
        private let start: Int

        private static let most = 1 << 29

        init?(_ file: FileWindow) {
            var place = 0
            while place < file.count {
                let head = file.read(place, 16)
                guard head.count >= 8 else { return nil }
                func number(_ range: Range<Int>) -> Int { head[range].reduce(0) { $0 << 8 | Int($1) } }
                let short = number(0..<4)
                guard short != 1 || head.count == 16 && head[8] < 0x40 else { return nil }
                let length = short == 1 ? number(8..<16) : short
                guard length >= 8, length <= file.count - place else { return nil }
                if head[4..<8].elementsEqual("moov".utf8) {
                    guard length <= Self.most else { return nil }
                    (bytes, start) = (file.read(place, length), place)
                    return
                }
                place += length
            }
            return nil
        }

        /// The byte at a place in the file; nil outside of `moov`.
        subscript(_ place: Int) -> UInt8? { bytes.indices.contains(place - start) ? bytes[place - start] : nil }

        func firstPlace(of pattern: [UInt8]) -> Int? {
            guard bytes.count >= pattern.count else { return nil }
            return (0...(bytes.count - pattern.count)).first {
                bytes[$0] == pattern[0] && bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
            }.map { start + $0 }
        }

        /// The place in the file of each track's box `tkhd`, in the order of the tracks.
        var trackHeaders: [Int] {
            children(of: 8..<bytes.count, named: "trak").compactMap { track in
                children(of: track.lowerBound + 8..<track.upperBound, named: "tkhd").first.map { start + $0.lowerBound }
            }
        }

        /// The places in `moov` of the boxes of that name in a range, with their headers, which are short ones.
        private func children(of range: Range<Int>, named name: String) -> [Range<Int>] {
            var (place, found): (Int, [Range<Int>]) = (range.lowerBound, [])
            while place + 8 <= range.upperBound {
                let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
                guard length >= 8, length <= range.upperBound - place else { break }
                if bytes[place + 4..<place + 8].elementsEqual(name.utf8) { found.append(place..<place + length) }
                place += length
            }
            return found
        }
    }
}
