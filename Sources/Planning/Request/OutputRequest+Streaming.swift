import Diagnostics
import MediaTime
import Outputs
import SplitreelProject

extension OutputRequest {
    /// The renditions of a stream at most.
    private static let mostRenditions = 6

    /// The outputs that one job makes for this one. For a film that is the output itself. For a stream, whose name ends
    /// in .m3u8 or .mpd, they are the document by which players begin, a film for each rendition, one for the sound,
    /// and for HLS the lists of their segments.
    ///
    /// Throws where it can be told already that no such stream can be.
    package func streamed(hasPicture: Bool, hasSound: Bool) throws -> [OutputRequest] {
        let container = try Container(of: self)
        guard let format = container.stream else {
            guard delivery.renditions == nil, timing.segmentInterval == nil else {
                throw impossible(
                    delivery.renditions == nil ? "\(.segmentInterval)" : "\(.renditions)",
                    "\(container.rawValue) is one film", hint: "name a stream .m3u8 (HLS) or .mpd (DASH)")
            }
            return [self]
        }
        try refuseImpossibleStream(container)
        let ofPreset = try soundOfPreset()
        let interval = timing.segmentInterval ?? SegmentInterval.usual
        var films: [OutputRequest] = []
        if hasPicture {
            for (index, rendition) in (delivery.renditions ?? [RenditionEntry()]).enumerated() {
                films.append(film(of: rendition, number: index + 1, interval))
            }
        }
        if hasSound, sound.codec != "none" { films.append(ofPreset.sound(interval)) }
        let members = films.map { film in
            StreamDocument.Member(
                name: film.path.lastStep,
                playlist: format == .hls ? film.path.lastStep.withoutExtension + ".m3u8" : nil)
        }
        let isHLS = format == .hls
        let lead = document(StreamDocument(kind: isHLS ? .master : .manifest, members: members, interval: interval))
        guard isHLS else { return [lead] + films }
        let lists = zip(films, members).map { film, member in
            var list = document(StreamDocument(kind: .playlist, members: [member], interval: interval))
            list.path = film.path.withoutExtension + ".m3u8"
            return list
        }
        return [lead] + films + lists
    }

    private func refuseImpossibleStream(_ container: Container) throws {
        if let interval = timing.segmentInterval, SegmentInterval.read(interval) == nil {
            throw impossible(
                "\(.segmentInterval, interval)", "segments last from half a second to a minute",
                hint: MediaTime.likely(interval).map { "did you mean ‘\($0)’?" } ?? "say 6s")
        }
        if let renditions = delivery.renditions, !(1...Self.mostRenditions).contains(renditions.count) {
            throw impossible(
                "\(.renditions)", "a stream has 1 to \(Self.mostRenditions) of them, not \(renditions.count)",
                hint: "say such as 1280x720:\(.short([3_000_000])),640x360:\(.short([800_000]))")
        }
        // A name of no codec is refused with the rest of the settings.
        if let name = picture.codec?.lowercased(), PictureCodec(rawValue: name).map(container.holds) == false {
            throw mismatch(.videoCodec, name, container, fits: container.videoCodecs.map(\.rawValue), path: path)
        }
        if let name = sound.codec?.lowercased(), SoundCodec(rawValue: name).map(container.holds) == false {
            throw mismatch(.audioCodec, name, container, fits: container.audioCodecs.map(\.rawValue), path: path)
        }
        if let tracks = soundTracks, tracks.count > 1 {
            throw impossible(
                "\(path), audioTracks", "a stream has one sound track, not \(tracks.count)",
                hint: "make an output named .mp4 of them, or a stream for each with one of them")
        }
        if let passes = picture.passes, passes > 1 {
            throw impossible(
                "\(.twoPass)", "a stream is made in one pass", hint: "limit its rate by \(.maximumBitRate)")
        }
        if delivery.fileLengthLimit != nil {
            throw impossible(
                "\(.fileLengthLimit)", "a stream is of several files", hint: "limit it by \(.maximumBitRate)")
        }
    }

    private func film(of rendition: RenditionEntry, number: Int, _ interval: String) -> OutputRequest {
        var film = part(.film(rendition: delivery.renditions == nil ? nil : number))
        film.path = "\(path.withoutExtension)-\(number).mp4"
        film.delivery.fileType = Container.mp4.rawValue
        film.delivery.fragmented = true
        film.timing.segmentInterval = interval
        film.sound = sound.withoutEncoding
        film.sound.codec = "none"
        film.soundTracks = nil
        film.canvas.size = rendition.size ?? canvas.size
        let own = rendition.videoSettings ?? RenditionSettings()
        film.picture.bitRate = own.bitRate ?? (own.crf == nil ? picture.bitRate : nil)
        film.picture.maximumBitRate = own.maximumBitRate ?? picture.maximumBitRate
        film.picture.bufferSize = own.bufferSize ?? (own.maximumBitRate == nil ? picture.bufferSize : nil)
        film.picture.crf = own.crf ?? (film.picture.bitRate == nil ? picture.crf : nil)
        return film
    }

    /// The request with the preset's settings of sound, which is a film of its own here. Throws where the preset makes
    /// no mp4, which the films of a stream are.
    private func soundOfPreset() throws -> OutputRequest {
        guard delivery.preset != nil else { return self }
        var film = self
        film.delivery.fileType = Container.mp4.rawValue
        var own = self
        own.sound = try film.withPreset().sound
        own.delivery.preset = nil
        return own
    }

    private func sound(_ interval: String) -> OutputRequest {
        var film = part(.film(rendition: nil)).withoutPicture
        film.path = path.withoutExtension + "-sound.m4a"
        film.delivery.fileType = Container.m4a.rawValue
        film.delivery.fragmented = true
        film.timing.segmentInterval = interval
        return film
    }

    private func document(_ stream: StreamDocument) -> OutputRequest {
        var document = part(.document(stream)).withoutPicture
        document.delivery.preset = nil
        return document
    }

    /// The request for one of the stream's files, as far as all of them have it in common.
    private func part(_ content: StreamPart.Content) -> OutputRequest {
        var part = self
        part.delivery.renditions = nil
        part.timing.segmentInterval = nil
        part.streamPart = StreamPart(of: path, content)
        return part
    }
}

extension String {
    fileprivate var lastStep: String { split(separator: "/").last.map(String.init) ?? self }

    fileprivate var withoutExtension: String {
        guard let dot = lastIndex(of: "."), !self[dot...].contains("/") else { return self }
        return String(self[..<dot])
    }
}
