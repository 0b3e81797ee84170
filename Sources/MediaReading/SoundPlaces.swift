package import MediaTime
package import SplitreelFiles

/// The places in a source, in bytes, of the packets of a track's sound from one asset time to another, in their order;
/// empty where the file does not tell, and for sound with an edit list. The file is opened for it.
package func soundPlaces(
    _ source: any MediaSource, track: Int, from first: Rational, through last: Rational
) throws -> [Range<Int>] {
    let index = try FileIndex.of(source)
    guard index.tracks.indices.contains(track - 1) else { return [] }
    let packets = index.tracks[track - 1]
    guard packets.edits == nil, !packets.display.isEmpty else { return [] }
    let base = try PictureFiles.timeBase(source, stream: track - 1)
    func place(_ time: Rational) -> Int { packets.place(heldAt: (time + index.origin) / base) ?? 0 }
    // Decoders of sound begin a packet earlier.
    let start = max(0, place(first) - 1)
    return packets.packetPlaces(from: start, through: max(start, place(last)))
}
