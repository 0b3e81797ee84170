import JSONText
import MediaTime
import Pictures
import SplitreelProject

/// An effect of a file in exact time, joined to its description and to the pictures that its parameters name.
struct EffectPlan: Sendable {
    let description: EffectDescription
    let parameters: EffectParameters
    let easing: Easing
    /// The composition times at which a transition begins and ends; of another effect, the times of what it is on.
    let range: (start: Rational, end: Rational)
    /// The pictures of assets by the parameter's name; see `parameters` for tracks.
    let pictures: [(name: String, media: VideoTrackPlan.Media)]

    /// The prefix of assets' names in recipes.
    let prefix: String
    /// The place in the file, for messages.
    private let place: String
    /// The seconds that a frame lasts, for effects that look around.
    let frame: Rational

    /// The plan of an effect; nil where it is not known, or switched off. `path` is its place in its file.
    init?(
        _ choice: RegisteredChoice, at path: String, range: (start: Rational, end: Rational),
        media: (String) -> VideoTrackPlan.Media?, prefix: String, frame: Rational
    ) {
        guard choice.enabled != false,
            let description = EffectRegistry.description(of: choice.id, version: choice.version)
        else { return nil }
        var problems: [Problem] = []
        self.description = description
        parameters = EffectParameters(choice.params, of: description, "", problems: &problems)
        easing = choice.easing ?? .linear
        self.range = range
        (self.prefix, self.frame) = (prefix, frame)
        place = path
        pictures = parameters.pictures.sorted { $0.key < $1.key }.compactMap { name, asset in
            media(asset).map { (name, $0) }
        }
    }

    /// The effect over pictures of one size; see `neighbours`. `tracks` answers the picture of a track in its place.
    func picture(
        of inputs: [PictureNode], size: PixelSize, hasAlpha: Bool, at time: Rational, scale: Affine,
        neighbours: [PictureNode] = [], tracks: (Int) -> PictureNode? = { _ in nil }
    ) -> PictureNode {
        var call = EffectCall(
            id: description.id, version: description.version,
            values: parameters.values(at: time).mapValues { $0.naming(prefix) })
        (call.scaleX, call.scaleY) = (scale.a, scale.d)
        if description.usesTime { call.time = time }
        call.place = EffectPlace(path: shown(place), time: time)
        if description.kind == .transition { call.progress = progress(at: time) }
        call.neighbours = neighbours.count
        var all = inputs + neighbours
        for (name, media) in pictures {
            call.pictures[name] = all.count
            all.append(.group(Self.stretched(media, size: size, at: time - range.start)))
        }
        for (name, track) in parameters.tracks.sorted(by: { $0.key < $1.key }) {
            guard let picture = tracks(track) else { continue }
            call.pictures[name] = all.count
            all.append(picture)
        }
        return .effect(
            EffectPicture(call: call, inputs: all, size: size, hasAlpha: hasAlpha || description.makesAlpha))
    }

    /// The frames before and after that an effect sees which looks around, oldest first: none is before 0, nor after
    /// the effect's own range. `picture` answers the picture at another time; where there is none, it is `own`.
    func neighbours(
        at time: Rational, of own: PictureNode, _ picture: (Rational) -> PictureNode?
    ) -> [PictureNode] {
        guard description.looksAround else { return [] }
        var behind = description.framesBehind
        if let name = description.framesBehindBy, case .numbers(let list)? = parameters.values(at: time)[name] {
            behind = min(behind, Int(max(0, list.first ?? 0).rounded(.up)))
        }
        let last = max(time, range.end - frame)
        let times =
            (0..<behind).reversed().map { max(.zero, time - Rational($0 + 1) * frame) }
            + (0..<description.framesAhead).map { min(last, time + Rational($0 + 1) * frame) }
        return times.map { $0 == time ? own : picture($0) ?? own }
    }

    /// A path in the effect's file, with the name of the file's asset where it is a nested composition's.
    func shown(_ path: String) -> String { prefix.isEmpty ? path : "\(path) of `\(prefix.dropLast())`" }

    private func progress(at time: Rational) -> Double {
        guard range.end > range.start else { return 1 }
        return easing.share(at: ((time - range.start) / (range.end - range.start)).double)
    }

    /// An asset's picture upright, and as large as the picture that the effect is on; `time` counts from the effect's
    /// beginning.
    private static func stretched(_ media: VideoTrackPlan.Media, size: PixelSize, at time: Rational) -> PictureGroup {
        let wanted = media.isStill ? media.trackStart : min(max(time, media.trackStart), media.trackLast)
        let map = Layer.Fit.stretch.map(of: media.displaySize, upright: media.preferredTransform, into: size)
        var group = PictureGroup(
            size: size, matte: .clear,
            layers: map.map { [LayerRecipe(picture: media.picture(track: 0, at: wanted), transform: $0)] } ?? [])
        group.hasAlpha = true
        return group
    }

    /// Whether it makes the same of the same pictures at every time of [start, end).
    func isConstant(from start: Rational, to end: Rational) -> Bool {
        !description.usesTime && !description.looksAround && parameters.isConstant(from: start, to: end)
            && pictures.allSatisfy(\.media.isStill) && parameters.tracks.isEmpty
            && (description.kind != .transition || end <= range.start || start >= range.end)
    }
}
