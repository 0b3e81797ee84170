import Foundation

/// Puts another edit list into an MP4 file that ffmpeg wrote, whose index comes after its media.
package struct EditedFilm {
    package struct Edit {
        /// In ticks of the film's clock, 1000 in a second.
        package var duration: Int
        /// In ticks of the track's clock; -1: nothing.
        package var media: Int
        /// In units of 2⁻¹⁶.
        package var rate: Int

        package init(duration: Int, media: Int, rate: Int = 1 << 16) {
            (self.duration, self.media, self.rate) = (duration, media, rate)
        }
    }

    package private(set) var bytes: [UInt8]

    package init(path: String) throws { bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// Where the n-th track's only edit begins in its own times: B-frames make that later than 0.
    package func start(ofTrack track: Int) throws -> Int {
        let list = try place("elst", in: try place("edts", in: try self.track(track)))
        return number(at: list.lowerBound + 12)
    }

    /// Puts these edits in place of those of the n-th track.
    package mutating func edit(track: Int, _ edits: [Edit]) throws {
        let movie = try place("moov", in: 0..<bytes.count)
        let track = try self.track(track)
        let entries = edits.flatMap { number($0.duration) + number($0.media) + number($0.rate) }
        let list = box("edts", box("elst", number(0) + number(edits.count) + entries))
        let old = try place("edts", in: track)
        let hole = (old.lowerBound - 8)..<old.upperBound
        bytes.replaceSubrange(hole, with: list)
        for start in [movie.lowerBound - 8, track.lowerBound - 8] {
            bytes.replaceSubrange(start..<(start + 4), with: number(number(at: start) + list.count - hole.count))
        }
    }

    /// Puts a box at the end of what describes the first track's samples, in an entry of a picture.
    package mutating func describe(_ name: String, _ content: [UInt8]) throws {
        var around = [try place("moov", in: 0..<bytes.count)]
        for name in ["trak", "mdia", "minf", "stbl", "stsd"] {
            around.append(try place(name, in: around[around.count - 1]))
        }
        // The count of entries comes first.
        let entry = around[around.count - 1].lowerBound + 16
        around.append(entry..<(entry - 8 + number(at: entry - 8)))
        let made = box(name, content)
        bytes.insert(contentsOf: made, at: around[around.count - 1].upperBound)
        for start in around.map({ $0.lowerBound - 8 }) {
            bytes.replaceSubrange(start..<(start + 4), with: number(number(at: start) + made.count))
        }
    }

    private func track(_ track: Int) throws -> Range<Int> {
        let tracks = places("trak", in: try place("moov", in: 0..<bytes.count))
        guard tracks.indices.contains(track) else { throw ToolFailure("there is no such track") }
        return tracks[track]
    }

    private func place(_ name: String, in range: Range<Int>) throws -> Range<Int> {
        guard let place = places(name, in: range).first else { throw ToolFailure("there is no box \(name)") }
        return place
    }

    private func places(_ name: String, in range: Range<Int>) -> [Range<Int>] {
        var (found, place): ([Range<Int>], Int) = ([], range.lowerBound)
        while place + 8 <= range.upperBound {
            let size = number(at: place)
            if bytes[(place + 4)...].starts(with: Array(name.utf8)) { found.append((place + 8)..<(place + size)) }
            place += max(8, size)
        }
        return found
    }

    private func number(at place: Int) -> Int { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }

    private func number(_ value: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8) + Array(name.utf8) + content
    }
}
