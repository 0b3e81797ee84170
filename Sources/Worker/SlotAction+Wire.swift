import Diagnostics
import FarmProtocol
import Foundation
import Planning
import Scheduling
import SplitreelFiles

extension SlotAction {
    /// The control message that the action sends; nil for actions of other kinds.
    var message: Splitreel_Farm_Envelope.OneOf_Body? {
        switch self {
        case .sendStarted(let holding):
            var started = Splitreel_Farm_Started()
            started.holding = holding.wire
            return .started(started)
        case .sendProgress(let holding, let done, let total):
            var progress = Splitreel_Farm_Progress()
            progress.holding = holding.wire
            progress.unitsDone = UInt32(clamping: done)
            progress.unitsTotal = UInt32(clamping: total)
            return .progress(progress)
        case .sendFinished(let holding, let segment, let result):
            var finished = Splitreel_Farm_Finished()
            finished.holding = holding.wire
            finished.segment = segment
            finished.segmentHash = Data(result.segmentHash)
            finished.seconds = result.seconds
            finished.sources = result.sources
            return .finished(finished)
        case .sendFailed(let holding, let error, let unitsDone):
            var failed = Splitreel_Farm_Failed()
            failed.holding = holding.wire
            failed.problem = Splitreel_Farm_Problem(error)
            failed.unitsDone = UInt32(clamping: unitsDone)
            return .failed(failed)
        case .sendReleased(let holding):
            var released = Splitreel_Farm_Released()
            released.holding = holding.wire
            return .released(released)
        case .sendSending(let holding):
            var sending = Splitreel_Farm_Sending()
            sending.holding = holding.wire
            return .sending(sending)
        case .sendDraining: return .drainRequest(Splitreel_Farm_DrainRequest())
        case .sendAssetsChecked(let job, let error):
            var checked = Splitreel_Farm_AssetsChecked()
            checked.job = job
            if let error { checked.problem = Splitreel_Farm_Problem(error) }
            return .assetsChecked(checked)
        default: return nil
        }
    }
}

extension SlotConfiguration {
    func registration(holding: Holding?) -> Splitreel_Farm_Register {
        var register = Splitreel_Farm_Register()
        register.worker = workerName
        register.slot = slotName
        register.rendererVersion = UInt32(clamping: RenderPlan.currentRendererVersion)
        register.release = release
        register.host = host
        register.workerPid = Int64(workerPID ?? 0)
        register.pid = Int64(ProcessInfo.processInfo.processIdentifier)
        register.encoders = encoders
        register.versions = versions
        register.effects = effects
        register.memoryBytes = UInt64(clamping: memoryBytes ?? 0)
        if let facts { register.facts = facts }
        if let holding { register.holding = holding.wire }
        return register
    }

    /// The machine and the settings, for whoever asks how the farm is; nil where they are not told.
    private var facts: Splitreel_Farm_WorkerFacts? {
        guard let fontFiles else { return nil }
        var facts = Splitreel_Farm_WorkerFacts()
        facts.roots = roots
        facts.maps = maps.pairs.map { "\($0.from)=\($0.to)" }
        // Without a folder for data nothing is sent: all is looked for under the plans' paths.
        facts.opensPaths = opensPaths || dataFolder == nil
        facts.data = dataFolder ?? ""
        facts.fonts = fontFiles
        return facts
    }
}
