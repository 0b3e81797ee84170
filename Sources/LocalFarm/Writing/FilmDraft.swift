import Coordinator
package import Diagnostics
import Hashing
import Libav
import MediaReading
package import MediaTime
import MediaWriting
import Outputs
package import Pictures
package import Planning
import Preparation
import SplitreelProject
import Stitching

/// The form of the pictures that are written into a film.
package struct DraftedPicture: Sendable {
    /// The size in pixels.
    package var size: PixelSize
    /// A frame's usual length: encoders are set up by it. Frames may come at any times.
    package var frameDuration: MediaTime
    package var colour: ColourTriple
    /// The six numbers by which players turn the picture; the identity for none.
    package var transform: Affine

    package init(size: PixelSize, frameDuration: MediaTime, colour: ColourTriple, transform: Affine) {
        (self.size, self.frameDuration) = (size, frameDuration)
        (self.colour, self.transform) = (colour, transform)
    }
}

/// The form of one sound that is written into a film.
package struct DraftedSound: Sendable {
    package var sampleRate: Int
    package var channels: Int

    package init(sampleRate: Int, channels: Int) { (self.sampleRate, self.channels) = (sampleRate, channels) }
}

/// A film that grows picture by picture and sample by sample, of no composition. Its parts are encoded to segments in a
/// private folder beside the film, and joined at the end as a farm joins them; then the film appears in one step.
///
/// `pictures`, each of `sounds` and each of `packets` are confined to a thread each; all else to one thread, after
/// theirs have ended.
package final class FilmDraft {
    package let pictures: PictureDraft?
    package let sounds: [SoundDraft]
    /// The tracks that are written as they are stored, in their order.
    package let packets: [StoredDraft]
    private let project: Project
    private let plan: RenderPlan
    private let request: OutputRequest
    private let folders: JobFolders
    private let claims: [OutputClaim]
    /// The notices of planning on the settings.
    private let remarks: NoticeList

    /// The facts of a film that was made.
    package struct Made: Sendable {
        package var duration: Rational
        package var frameCount: Int
        /// The samples of each channel.
        package var sampleCount: Int
        package var notices = NoticeList()
    }

    /// Resolves the settings, and makes the folder. Blocking.
    ///
    /// - Parameter request: the output, its path absolute.
    /// - Throws: `.outputExists`, `.outputNotWritable`, `.outputInUse`; or what makes the settings impossible.
    package init(
        _ request: OutputRequest, picture: DraftedPicture?, sounds shapes: [DraftedSound],
        packets stored: [DraftedPackets] = []
    ) throws {
        self.request = request
        try request.refuseForDraft(picture, stored)
        // Without an encoded track the settings are those of a silence that is left out.
        let isStored = picture == nil && shapes.isEmpty
        let planned = isStored ? [DraftedSound(sampleRate: 48_000, channels: 2)] : shapes
        project = Project(blankFor: picture, planned)
        var asked = request.describing(planned)
        // Chapters lie in a film whose length is known at its end.
        asked.tags.chapters = nil
        let prepared = try preparePlan(project: project, request: asked)
        var plan = prepared.plan
        remarks = isStored ? NoticeList() : prepared.notices
        if isStored { (plan.output.audio, plan.output.audioTracks, plan.output.furtherAudio) = (nil, nil, nil) }
        self.plan = plan
        try OutputPlace(request).check()
        claims = try OutputClaim.claims(on: [request.path])
        do {
            folders = try JobFolders(beside: [request.path], containers: [plan.output.container])
        } catch {
            for claim in claims { claim.release() }
            throw error
        }
        let folder = folders.path
        do {
            pictures = try plan.output.video.map { settings in
                try PictureDraft(
                    settings, frameDuration: plan.frameDuration, transform: picture?.transform ?? .identity,
                    path: folder + "/pictures.nut")
            }
            sounds = try plan.output.sounds.enumerated().map { number, program in
                try SoundDraft(program.settings, path: "\(folder)/sound\(number).nut")
            }
            packets = try stored.enumerated().map { number, shape in
                try StoredDraft(shape, path: "\(folder)/track\(number).packets")
            }
        } catch {
            folders.remove()
            for claim in claims { claim.release() }
            throw error
        }
    }

    /// Joins everything, checks that the film's place is still free, and puts it there. Blocking.
    ///
    /// - Parameters:
    ///   - end: the film's end in seconds; nil for the end of what was written.
    ///   - going: called again and again until the film appears; ends the work by throwing.
    package func finish(at end: Rational?, going: @escaping () throws -> Void = {}) throws -> Made {
        defer { discard() }
        let sampleRate = plan.output.audio?.sampleRate ?? 1
        let longest = sounds.map { Rational($0.sampleCount, sampleRate) }.max() ?? .zero
        let stored = try packets.compactMap { try $0.finish() }
        let duration = end ?? stored.compactMap(\.end).reduce(max(pictures?.end ?? .zero, longest), max)
        guard duration > .zero, stored.count == packets.count else {
            throw SplitreelError(
                .nothingToRender, operation: "writing a film", subject: request.path,
                reason: stored.count == packets.count
                    ? "no picture and no sound was written" : "its track of packets has none",
                hint: "append some before the end")
        }
        try refuseLater(than: duration, stored)
        let samples = plan.output.audio == nil ? 0 : (duration * Rational(sampleRate)).rounded()
        var notices = remarks
        for track in stored { notices.add(track.remarks(in: plan.output.container)) }
        var plan = plan
        let stitcher: FilmStitcher
        plan.output.chapters = filmChapters(
            of: project, request.tags.chapters, container: plan.output.container, from: .zero, duration: duration)
        plan.range = TimeRange(start: .zero, duration: duration.mediaTime)
        (plan.sampleCount, plan.soundCuts) = (samples, nil)
        let soundFacts = try sounds.map { try $0.finish(sampleCount: samples, going: going) }
        let picture = try pictures?.finish(at: duration)
        plan.frameCount = picture?.facts.count ?? 0
        plan.frameTimes = picture?.times
        plan.chunks =
            picture.map { facts in
                [
                    Chunk(
                        index: 0, kind: .composite, firstFrame: 0, frameCount: facts.facts.count, cost: 1,
                        why: "the film's start")
                ]
            } ?? []
        let key = ContentKey(of: SHA256Sum())
        stitcher = try FilmStitcher(plan: plan, path: folders.films[0], stored: stored, going: going)
        do {
            for (sound, facts) in zip(sounds, soundFacts) {
                notices.add(facts.notices)
                try stitcher.setAudio(path: sound.path, record: facts.record(key: key))
            }
            if let pictures, let picture {
                try stitcher.append(path: pictures.path, record: picture.facts.record(key: key), chunk: 0)
            }
            try stitcher.finish()
        } catch {
            stitcher.abandon()
            throw error
        }
        let film = folders.films[0]
        if let transform = pictures?.transform, transform != .identity {
            try MovieBoxes.turn(by: transform, path: film)
        }
        try going()
        try FilmPublication(
            places: [OutputPlace(request)], films: [film], identity: fileIdentity(film) ?? "", streams: [nil]
        ).run { _ in }
        return Made(
            duration: duration,
            frameCount: stored.reduce(plan.frameCount) { $0 + ($1.format.isPicture ? $1.entries.count : 0) },
            sampleCount: samples, notices: notices)
    }

    private func refuseLater(than end: Rational, _ tracks: [StoredTrack]) throws {
        guard let late = tracks.compactMap(\.lastStart).max(), late >= end else { return }
        throw SplitreelError(
            .usage, operation: "writing a film", subject: request.path,
            reason: "its end at \(end.shortSeconds) s is not after its last packet, at \(late.shortSeconds) s",
            hint: "end the film later, or append fewer packets")
    }

    /// Ends without a film; nothing is left. Idempotent.
    package func discard() {
        folders.remove()
        for claim in claims { claim.release() }
    }
}

extension StoredTrack {
    /// The remarks on what the container cannot tell of the track.
    fileprivate func remarks(in container: Container) -> NoticeList {
        var notices = NoticeList()
        let late = lateness(in: container)
        if late > .zero {
            notices.add(
                Notice(
                    .sourceRemark, subject: format.codec,
                    reason: "\(container.rawValue) has no times before 0: the film begins \(late.shortSeconds) s later",
                    hint: "name the film .mp4"))
        }
        if losesTurn(in: container) {
            notices.add(
                Notice(
                    .sourceRemark, subject: format.codec,
                    reason: "\(container.rawValue) has no place for how players turn the picture",
                    hint: "name the film .mp4"))
        }
        return notices
    }
}
