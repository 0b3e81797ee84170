import Diagnostics
import MediaReading
import MediaTime
import Outputs
import Pictures
import Planning
import Preparation
import Rendering
import SplitreelProject

extension PictureSource {
    /// Makes the frames of many times, here or by the farm: see `FrameGrabber.generate`. The farm's are exact, which is
    /// within any tolerance, and are delivered when all of them are there; where its job fails, none is.
    /// - Parameter output: the command's output, absolute; the farm's film is beside it for a while.
    func generate(
        _ times: [Rational], tolerance: FrameTolerance, fitting limit: PixelSize?, for output: String,
        cancellation: Cancellation, deliver: (_ place: Int, _ frame: GeneratedFrame) throws -> Void
    ) throws {
        guard let farm else {
            return try grabber.generate(
                times, tolerance: tolerance, fitting: limit, cancellation: cancellation, deliver: deliver)
        }
        let shown = times.map { time in Result { try grabber.shownTime(at: time) } }
        let moments = Set(shown.compactMap { try? $0.get() }).sorted()
        for (place, time) in shown.enumerated() {
            if case .failure(let error) = time { try deliver(place, .failed(error)) }
        }
        guard !moments.isEmpty else { return }
        let places = times.indices.filter { (try? shown[$0].get()) != nil }
        let errand = try FarmErrand(for: output, farm)
        defer { errand.close() }
        let film: FilmOfMoments
        do {
            film = try FilmOfMoments(moments, of: self, by: errand, cancellation: cancellation)
        } catch let error as SplitreelError {
            for place in places { try deliver(place, error.code == .cancelled ? .cancelled : .failed(error)) }
            return
        }
        let inside = try places.map { (place: $0, time: try shown[$0].get()) }
        try film.grabber.generate(
            inside.map { film.place(of: $0.time) }, fitting: limit, cancellation: cancellation
        ) { index, frame in
            let asked = inside[index]
            if case .succeeded(let picture, _) = frame {
                try deliver(asked.place, .succeeded(picture, actual: actual(asked.time, at: times[asked.place])))
            } else {
                try deliver(asked.place, frame)
            }
        }
    }

    /// The time of a frame as the grabber tells it for a media file: a frame that is held before it begins has its own
    /// time, and where there is none it is the time that was asked for.
    private func actual(_ shown: Rational, at time: Rational) -> Rational {
        guard let firstFrame else { return shown }
        return grabber.showsAnything(at: time) ? max(shown, firstFrame) : time
    }
}

/// The frames of some moments as a farm has composed them, one after the other in a film without loss, which is read as
/// if they were composed here.
private struct FilmOfMoments {
    let grabber: FrameGrabber
    private let moments: [Rational]

    init(
        _ moments: [Rational], of source: PictureSource, by errand: FarmErrand, cancellation: Cancellation
    ) throws {
        guard moments.count <= OutputRequest.mostStills else {
            throw SplitreelError(
                .usage, operation: "asking a farm", subject: "\(moments.count) frames",
                reason: "a job makes \(OutputRequest.mostStills) at most",
                hint: "choose a longer step, or --range, or leave --connect out")
        }
        var request = OutputRequest(path: "")
        request.picture.codec = PictureCodec.ffv1.rawValue
        request.sound.codec = "none"
        request.picture.pixelFormat = source.grabber.format.rawValue
        request.stills.times = moments.map(\.mediaTime)
        request.rendering.proxy = source.usesProxies
        let path = try errand.make(
            "frames.mov", of: source.project, as: request, in: source.file, cancellation: cancellation)
        let facts = try probe(path: path)
        guard var project = Project(showing: facts, withSound: false) else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: path, reason: "the farm's film has no picture")
        }
        let colour = source.grabber.colour
        var settings = ColourSettings()
        settings.primaries = colour.primaries
        settings.transfer = colour.transfer
        settings.matrix = colour.matrix
        var video = VideoComposition()
        video.renderSize = source.grabber.size
        video.color = settings
        project.video = video
        grabber = try FrameGrabber(project: project, assets: ["media": facts], isOnGrid: false)
        self.moments = moments
    }

    /// The middle of a moment's frame in the film.
    func place(of moment: Rational) -> Rational {
        let index = moments.partitionPoint { $0 < moment }
        return grabber.duration * Rational(2 * index + 1, 2 * moments.count)
    }
}
