import Diagnostics
import FarmProtocol
import Hashing
import Planning
import Scheduling

extension LeaseOrder {
    /// The lease of a message; nil where the segment is not a plain file name, a path is not absolute or the key is no
    /// SHA-256: nobody honest sends that.
    init?(_ wire: Splitreel_Farm_Lease) {
        guard let holding = Holding(wire.holding), wire.planPath.isAbsolutePath, wire.folder.isAbsolutePath,
            !wire.segment.isEmpty, wire.segment != ".", wire.segment != "..", !wire.segment.hasSlash,
            !wire.segment.utf8.contains(0), let key = ContentKey(wire.contentKey)
        else { return nil }
        self.init(
            holding: holding, planPath: wire.planPath, planHash: wire.planHash, folder: wire.folder,
            segment: wire.segment, key: key, allotmentHash: wire.allotmentHash,
            mixEpochs: wire.mixEpochs.map { Int($0) })
    }
}

extension SlotEvent {
    /// The event of a coordinator's message; nil for one that a slot has no use for.
    init?(_ body: Splitreel_Farm_Envelope.OneOf_Body) {
        switch body {
        case .welcome(let welcome):
            self = .welcome(
                heartbeatEndpoint: welcome.heartbeatEndpoint, heartbeat: .milliseconds(welcome.heartbeatMilliseconds),
                lease: .milliseconds(welcome.leaseMilliseconds))
        case .refused(let refused): self = .refused(SplitreelError(refused.problem))
        case .lease(let lease):
            guard let order = LeaseOrder(lease),
                PlanPart(segmentName: order.segment, epoch: order.holding.epoch) != nil
            else { return nil }
            self = .lease(order)
        case .checkAssets(let check):
            guard !check.job.isEmpty, check.planPath.isAbsolutePath, check.folder.isAbsolutePath else { return nil }
            self = .checkAssets(
                AssetOrder(
                    job: check.job, planPath: check.planPath, planHash: check.planHash, folder: check.folder))
        case .cancelLease(let cancel):
            guard let holding = Holding(cancel.holding) else { return nil }
            self = .cancelLease(holding)
        case .acknowledged(let acknowledged):
            guard let holding = Holding(acknowledged.holding) else { return nil }
            self = .acknowledged(holding, accepted: acknowledged.accepted)
        case .drainRequest: self = .drainRequest
        default: return nil
        }
    }
}
