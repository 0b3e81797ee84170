/// The index of an mp4 or mov that stands in front of its media.
package enum MovieIndex {
    /// An upper bound of the index's bytes, which is what is reserved: too little would cost the whole film. What is
    /// left over becomes a `free` box.
    ///
    /// Per packet of the picture: size 4, composition offset 8, sync sample 4, one chunk with offset 8 and map entry
    /// 12, and 4 to spare.
    /// Per packet of the sound: size 4, duration 8 in the worst case, and at most one chunk between two pictures.
    /// - Parameters:
    ///   - frames: the number of the picture's packets; nil without a picture.
    ///   - packets: the number of packets of all sound tracks together.
    ///   - words: the bytes that tags, texts and chapters take.
    package static func room(frames: Int?, packets: Int, sounds: Int, words: Int, extradata: Int) -> Int {
        // Without a picture libavformat still begins a chunk per mebibyte; one per packet is beyond that.
        let chunks = frames.map { min(packets, ($0 + 1) * sounds) } ?? packets
        let headers = 8192 + 2048 * max(0, sounds - 1) + words + 2 * extradata
        return headers + (frames ?? 0) * 40 + packets * 16 + chunks * 20
    }
}
