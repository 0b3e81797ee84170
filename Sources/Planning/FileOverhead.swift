import Composition

/// The index of an mp4 or mov that stands in front of its media.
package enum MovieIndex {
    /// An upper bound of its bytes, which is what is reserved: too little would cost the whole film. What is left over
    /// becomes a `free` box.
    ///
    /// Per packet of the picture: size 4, composition offset 8, sync sample 4, one chunk with offset 8 and map entry
    /// 12, and 4 to spare.
    /// Per packet of the sound: size 4, duration 8 in the worst case, and at most one chunk between two pictures.
    /// - Parameters:
    ///   - frames: nil without a picture.
    ///   - packets: of all sound tracks together.
    ///   - words: what tags, texts and chapters take.
    package static func room(frames: Int?, packets: Int, sounds: Int, words: Int, extradata: Int) -> Int {
        // Without a picture libavformat still begins a chunk per mebibyte; one per packet is beyond that.
        let chunks = frames.map { min(packets, ($0 + 1) * sounds) } ?? packets
        let headers = 8192 + 2048 * max(0, sounds - 1) + words + 2 * extradata
        return headers + (frames ?? 0) * 40 + packets * 16 + chunks * 20
    }
}

extension OutputSettings {
    /// Bytes beside the packets of picture and sound: headers, what the index has for each of them, and texts.
    func overhead(frameCount: Int, sampleCount: Int) -> Double {
        let words = (tags?.roomInHeader ?? 0) + (chapters?.roomInHeader ?? 0)
        // Markup may double a text; in Matroska each has a block.
        let texts = (texts ?? []).reduce(0) { sum, text in
            let cues = text.cues.reduce(0) { $0 + 2 * $1.text.utf8.count + 48 }
            return sum + text.roomInHeader + cues + 2 * (text.header?.utf8.count ?? 0)
        }
        let names = (furtherAudio ?? []).reduce(0) { $0 + 2 * ($1.tags?.name?.utf8.count ?? 0) + 512 }
        let packets = sounds.reduce(0.0) { $0 + $1.settings.packetCount(sampleCount) }
        // Counts may be anything here.
        let cover = posterFrame == nil ? 0 : VideoSettings.mostPosterBytes
        let (frames, all) = (Double(frameCount), Double(words) + Double(texts) + Double(names) + Double(cover))
        if container.isISO, isFragmented != true, frames < 1e9, packets < 1e9 {
            let room = MovieIndex.room(
                frames: video == nil ? nil : frameCount, packets: Int(packets), sounds: sounds.count, words: 0,
                extradata: 512)
            // Boxes in front of the index, after it, and of chapters' text.
            return Double(room) + all + 256
        }
        // A block of Matroska takes 10 to 20 bytes.
        if container.isMatroska { return 6144 + all + (frames + packets) * 24 }
        if container == .ogg {
            return all + pages(packets, seconds: Double(sampleCount) / Double(audio?.sampleRate ?? 1))
        }
        // Packets of MP3 are the whole file but for its tags and a first frame, which tells its length.
        if container == .mp3 { return 2048 + all }
        return 16_384 + all + frames * 40 + packets * 36
    }

    /// What Ogg adds: a byte for each packet and for each 255 of its bytes; pages of 27 bytes, one for each second and
    /// for each 255 of those; and the coder's headers, of which Vorbis has its books.
    private func pages(_ packets: Double, seconds: Double) -> Double {
        let laces = packets + mostSoundBits(seconds) / 8 / 255
        let headers = audio?.codec == .vorbis ? 8192.0 : 1024
        return headers + laces + 27 * (seconds + laces / 255 + 4)
    }
}

extension AudioSettings {
    /// At most, and what is beyond an Int's range as well.
    fileprivate func packetCount(_ samples: Int) -> Double {
        let length: Double
        switch codec {
        case .aac: length = 1024
        case .mp3: length = 1152
        case .opus: length = 960
        default: length = 512
        }
        return (Double(samples) / length).rounded(.up) + 4
    }
}

extension FilmTags {
    /// Bytes that they take in a header at most: every text may stand in two forms, each in boxes of its own.
    package var roomInHeader: Int {
        let texts = Array(items.values) + [video?.name, audio?.name].compactMap { $0 }
        return texts.reduce(0) { $0 + 2 * $1.utf8.count + 256 }
    }
}

extension [FilmChapter] {
    /// Bytes that they take of a header at most, and their texts beside it. In mp4 and mov what lies between two of
    /// them is one as well; each has places and times of a track's sample, and stands in a list with its title. The
    /// others take less: ID3 has two bytes for a letter.
    package var roomInHeader: Int {
        isEmpty ? 0 : reduce(2048) { $0 + 2 * 64 + 2 * $1.title.utf8.count }
    }
}
