import Outputs

extension OutputSettings {
    /// The bytes beside the packets of picture and sound: headers, what the index has for each of them, and texts.
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

    /// The bytes that Ogg adds: one for each packet and for each 255 of its bytes; pages of 27 bytes, one for each
    /// second and for each 255 of those; and the coder's headers, of which Vorbis has its books.
    private func pages(_ packets: Double, seconds: Double) -> Double {
        let laces = packets + mostSoundBits(seconds) / 8 / 255
        let headers = Double(audio?.codec.headerBytes ?? 1024)
        return headers + laces + 27 * (seconds + laces / 255 + 4)
    }
}

extension AudioSettings {
    /// The packets of so many samples at most; a Double holds counts beyond an Int's range as well.
    fileprivate func packetCount(_ samples: Int) -> Double {
        let length = codec.frameLength(48_000)
        return (Double(samples) / Double(length > 0 ? length : 512)).rounded(.up) + 4
    }
}
