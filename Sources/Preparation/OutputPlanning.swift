import Diagnostics
import JSONText
import MediaFacts
import Outputs
import Planning
import SplitreelProject
import SplitreelTimeline

/// The planning of outputs of a project that is valid with its assets, which have been read.
struct OutputPlanning {
    private let project: Project
    private let assets: [String: AssetFacts]
    private let warnings: [Problem]
    private let prober: any AssetProber
    private let canvases: PlannedCanvases
    private let packets = KnownPackets()

    /// Reads the assets for all of the requests.
    init(
        project: Project, requests: [OutputRequest], prober: any AssetProber,
        authorize: @escaping @Sendable (_ path: String) throws -> Void
    ) throws {
        try refuseInvalid(project, assets: nil)
        assets = try probeAllAssets(
            of: project, prober: prober, usingProxies: requests.contains(where: \.rendering.proxy), authorize: authorize
        )
        warnings = try refuseInvalid(project, assets: assets, strict: requests.contains(where: \.rendering.strict))
        (self.project, self.prober) = (project, prober)
        canvases = PlannedCanvases(project, assets)
    }

    /// The request with the layout of the sound field that all of the composition's sounds are; unchanged where they
    /// are none, or where the request says another.
    func takingField(_ request: OutputRequest) throws -> OutputRequest {
        let timeline = try canvases.canvas(of: request).timeline
        guard request.sound.channelLayout == nil, let field = timeline.soundField(assets) else { return request }
        if let count = request.sound.channels, count != field.channels {
            throw SplitreelError(
                .settingsImpossible, operation: "listening to the mix", subject: "\(.channels, count)",
                reason: "its sound is \(field.rawValue), a sound field of \(field.channels) channels",
                hint: .leaveOut)
        }
        var request = request
        // FLAC holds none.
        request.sound.channels = nil
        request.sound.channelLayout = field.rawValue
        request.sound.codec = SoundCodec.pcm.rawValue
        return request
    }

    /// Makes one plan of those outputs, which have the same frames. Where each is planned `alone`, to be looked at and
    /// not to be made, a stream's document has no films beside it.
    /// `isOfSeveral`: an output that is made together with others, with `chunks` where it has a picture.
    func plan(
        _ requests: [OutputRequest], alone: Bool = false, chunks: [Chunk]? = nil, isOfSeveral: Bool = false
    ) throws -> PreparedPlan {
        let canvases = try requests.map { request in
            try tellingKeys(of: request, in: project) { try self.canvases.canvas(of: request) }
        }
        var plans: [RenderPlan] = []
        for (request, canvas) in zip(requests, canvases) {
            plans.append(try plan(request, canvas, chunks: chunks, mayCopy: requests.count == 1 && !isOfSeveral))
            plans[plans.count - 1].output.stream = try request.stream.map { stream in
                alone ? stream : try stream.among(requests, of: request.path)
            }
            try refuseTooManySegments(plans)
        }
        if let chunks = Self.leading(plans) {
            let cuts = chunks.map(\.frames)
            for index in plans.indices where plans[index].frameCount > 0 && plans[index].chunks.map(\.frames) != cuts {
                plans[index] = try plan(requests[index], canvases[index], chunks: chunks)
            }
        }
        try refuseTwoPasses(plans)
        let ofOutputs = try refuseInvalidOutputs(of: project, made: requests)
        var plan = RenderPlan.joining(plans)
        plan.versions = rendererVersions()
        var seen: Set<ObjectIdentifier> = []
        let pictures = zip(plans, canvases).filter { $0.frameCount > 0 && seen.insert(ObjectIdentifier($1)).inserted }
            .map(\.1.timeline)
        let fontRemarks = try plan.addFonts(of: pictures, project, prober)
        var notices = NoticeList()
        for notice in (warnings + ofOutputs).map(\.notice) + remarks(on: assets) + fontRemarks { notices.add(notice) }
        for (index, (request, plan)) in zip(requests, plans).enumerated() {
            let shown = canvases[index].timeline
            for text in try filmRemarks(request, plan, showing: shown, of: project, assets: assets) {
                notices.add(Notice(.sourceRemark, subject: request.path, reason: text))
            }
        }
        if requests.contains(where: \.rendering.strict), let first = notices.notices.first { throw first.asError }
        // A plan that no worker would take is never handed out.
        try plan.check()
        return PreparedPlan(plan: plan, notices: notices)
    }

    /// Makes the plan of a job, as `plan` does, and the content keys of its tasks.
    func keyedPlan(_ requests: [OutputRequest]) throws -> KeyedPlan {
        let prepared = try plan(requests)
        let contents = try taskContents(
            of: prepared.plan, canvases: try requests.map(canvases.canvas), checkWanted: prober.checkWanted)
        let timelines = try requests.map { try canvases.canvas(of: $0).timeline }
        return KeyedPlan(
            plan: prepared.plan, contents: contents, notices: prepared.notices,
            slotBytes: timelines.map { SlotMemory(prepared.plan, $0).bytes }.max() ?? 0)
    }

    /// Makes a plan for each output, to be looked at: with the chunks that it has in the job that makes it.
    func plansOfJobs(_ requests: [OutputRequest]) throws -> [PreparedPlan] {
        var chunks: [OutputRequest: [Chunk]] = [:]
        var joined: Set<OutputRequest> = []
        for job in requests.byJob() where job.count > 1 {
            let common = Self.leading(try job.map { try plan($0, canvases.canvas(of: $0)) })
            for request in job { chunks[request] = common }
            joined.formUnion(job)
        }
        return try requests.map {
            try plan([$0], alone: true, chunks: chunks[$0], isOfSeveral: joined.contains($0))
        }
    }

    /// The chunks of the output whose key frames are farthest apart; the others begin with a key frame there as well.
    /// nil without a picture.
    private static func leading(_ plans: [RenderPlan]) -> [Chunk]? {
        let intervals = plans.map { $0.output.video?.keyFrameInterval ?? 0 }
        guard let longest = intervals.max(), let lead = intervals.firstIndex(of: longest), longest > 0 else {
            return nil
        }
        return plans[lead].chunks
    }

    private func plan(
        _ request: OutputRequest, _ canvas: CommonPlanning, chunks: [Chunk]? = nil, mayCopy: Bool = false
    ) throws -> RenderPlan {
        try tellingKeys(of: request, in: project) {
            let output = try resolve(request, timeline: canvas.timeline)
            let coded =
                try mayCopy && chunks == nil && mayCopyPackets(request, output)
                ? packets.coded(for: output, assets, shown: project.shownAssets, prober) : CodedTracks()
            var plan = try makePlan(
                project: project, timeline: canvas.timeline, assets: assets, request: request, output: output,
                chunks: chunks, with: canvas, coded: coded)
            plan.encoders = encoderNames(output)
            try decideSound(of: &plan, request, canvas.timeline, isAlone: mayCopy && chunks == nil)
            return plan
        }
    }

    /// Decides whether the plan's sound is copied or mixed, and says why.
    private func decideSound(
        of plan: inout RenderPlan, _ request: OutputRequest, _ timeline: Timeline, isAlone: Bool
    ) throws {
        guard plan.sampleCount > 0 else { return }
        switch try plan.soundCopy(of: timeline, assets, request, isAlone: isAlone) {
        case .mixed(let reason): plan.soundWhy = "mixed: " + reason
        case .run(let run, let asset):
            guard let facts = assets[asset] else { return }
            try prober.checkWanted()
            plan.copySound(try prober.find(run, in: facts.path), asset, track: run.track)
        }
    }
}

extension StreamDocument {
    /// The document with its films' places among a job's outputs. Throws where they are not what a stream is made of: a
    /// program that submits may have said anything.
    fileprivate func among(_ requests: [OutputRequest], of path: String) throws -> StreamDocument {
        var document = self
        let folder = path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
        for (index, member) in members.enumerated() {
            let place = requests.firstIndex {
                $0.stream == nil && $0.delivery.fragmented == true && $0.path == folder + member.name
            }
            guard let place else {
                throw refused(path, "\(member.name.prefix(60)), which the job does not make for it")
            }
            document.members[index].output = place
        }
        let places = Set(document.members.map(\.output))
        guard !members.isEmpty, places.count == members.count, kind != .playlist || members.count == 1 else {
            throw refused(path, "\(members.count) films, and that is no stream")
        }
        return document
    }

    private func refused(_ path: String, _ what: String) -> SplitreelError {
        SplitreelError(
            .settingsImpossible, operation: "planning", subject: path, reason: "its document names " + what,
            hint: "submit what `OutputRequest.streamed` makes of it")
    }
}

/// Refuses too many segments; asked after each plan, so that not all of them have to be made first.
private func refuseTooManySegments(_ plans: [RenderPlan]) throws {
    let sounds = plans.reduce(0) { $0 + $1.output.sounds.count }
    guard sounds <= SegmentSet.mostFiles else {
        throw SplitreelError(
            .settingsImpossible, operation: "planning", subject: "\(sounds) sound tracks",
            reason: "the outputs of a job have at most \(SegmentSet.mostFiles) together",
            hint: "give some of the outputs a file of their own")
    }
    let films = plans.filter { $0.frameCount > 0 }
    try RenderPlan.refuseTooManySegments(chunks: films.map(\.chunks.count).max() ?? 0, outputs: films.count)
}

/// Refuses a film of two passes beside others: it is a job of its own, but programs that submit may have said else.
private func refuseTwoPasses(_ plans: [RenderPlan]) throws {
    guard plans.count > 1, plans.contains(where: { $0.output.video?.isTwoPass == true }) else { return }
    throw SplitreelError(
        .settingsImpossible, operation: "planning", subject: "a film of two passes",
        reason: "it is made by a job that makes nothing else", hint: "submit it alone")
}

private func encoderNames(_ output: OutputSettings) -> [String] {
    let video = output.video.map { $0.codec.encoderName }
    var names = [video].compactMap { $0 }
    for audio in output.sounds.map(\.settings.codec.encoderName) where !names.contains(audio) {
        names.append(audio)
    }
    return names
}

/// The notices of probing, file by file.
private func remarks(on assets: [String: AssetFacts]) -> [Notice] {
    let files = Dictionary(assets.values.map { ($0.path, $0) }) { first, _ in first }
    return files.values.sorted { $0.path < $1.path }.flatMap(\.warnings)
}

extension Notice {
    /// The warning as an error, where warnings are errors.
    fileprivate var asError: SplitreelError {
        SplitreelError(
            .compositionInvalid, operation: "\(.strict)", subject: "\(subject)", reason: reason,
            hint: "without \(.strict) it is a warning")
    }
}
