import TestTools
import Testing

extension EndToEnd {
    /// What the made media are there for is in them: ffprobe says so.
    @Suite struct MadeMediaTests {
        private static func made(_ media: MadeMedia) throws -> (path: String, witness: Witness) {
            let witness = Witness(in: try TestFolder("media"))
            return (try media.make(in: witness.folder, witness), witness)
        }

        @Test func turnedIsMarked() throws {
            let (path, witness) = try Self.made(.turned)
            let lists = try witness.streams(path).compactMap { $0["side_data_list"] as? [[String: Any]] }
            #expect(lists.joined().contains { abs($0["rotation"] as? Int ?? 0) == 180 })
        }

        /// Packets before the edit are in the file and marked as not to be shown.
        @Test func editedHidesFrames() throws {
            let (path, witness) = try Self.made(.edited)
            let packets = try witness.packets(path, stream: "v:0")
            let hidden = packets.filter { ($0["flags"] as? String)?.contains("D") ?? false }
            #expect(hidden.count == MadeMedia.firstEdited - 30, "from the key frame before it on")
            let first = try witness.luma(path).first.flatMap { NumberedMedia.number($0) }
            #expect(first == MadeMedia.firstEdited)
        }

        /// After a key frame come, in decoding order, frames that are shown before it.
        @Test(arguments: [MadeMedia.open, .deep]) func openGroupsLead(media: MadeMedia) throws {
            let (path, witness) = try Self.made(media)
            let packets = try witness.packets(path, stream: "v:0")
            var key = Int.min
            var leading = 0
            for (index, packet) in packets.enumerated() {
                let time = packet["pts"] as? Int ?? 0
                if (packet["flags"] as? String)?.hasPrefix("K") ?? false { key = index == 0 ? .min : time }
                if time < key { leading += 1 }
            }
            #expect(leading > 4, "\(leading) leading pictures")
        }

        @Test func irregularLacksFrames() throws {
            let (path, witness) = try Self.made(.irregular)
            let kept = (0..<MadeMedia.irregularCount).filter(MadeMedia.isKept)
            #expect(try witness.luma(path).map { NumberedMedia.number($0) } == kept)
            let times = try witness.packets(path, stream: "v:0").compactMap { $0["pts"] as? Int }.sorted()
            #expect(times == kept.map { $0 * 40 }, "milliseconds")
        }

        @Test func deepHasTenBitsAndClearHasAlpha() throws {
            let (deep, first) = try Self.made(.deep)
            #expect(try first.streams(deep)[0]["pix_fmt"] as? String == "yuv420p10le")
            let (clear, second) = try Self.made(.clear)
            let tags = try second.streams(clear)[0]["tags"] as? [String: Any]
            #expect(tags?["alpha_mode"] as? String == "1")
        }
    }
}
