package import DataPlane
import Diagnostics
import FarmProtocol
package import Scheduling
import SplitreelFiles
import Threads

// Segments that are sent.
extension DataLine {
    /// Begins to send a segment that the disk is still to take. That it came is not reported, and nothing is removed,
    /// before `send`.
    package nonisolated func begin(_ segment: CompleteSegment) {
        post { line in
            line.begun[segment.item.holding] = BegunSegment(segment: segment)
            line.note(.kept(segment.item))
        }
    }

    /// Sends a segment that the outbox's folder keeps, or goes on with one. `report` tells what becomes of it.
    package nonisolated func send(_ item: OutboxItem) {
        post { line in
            guard let begun = line.begun.removeValue(forKey: item.holding) else { return line.note(.kept(item)) }
            line.perform(begun.waiting)
        }
    }

    /// Sends a segment no more, and removes it.
    package nonisolated func drop(_ holding: Holding) {
        post { line in
            line.begun[holding] = nil
            line.note(.dropped(holding))
        }
    }

    func note(_ event: Outbox.Event) { perform(outbox.handle(event, now: now)) }

    private func perform(_ actions: [Outbox.Action]) {
        for action in actions {
            if let holding = action.ended, begun[holding] != nil {
                begun[holding]?.waiting.append(action)
                continue
            }
            switch action {
            case .offer(let stream, let holding, let file): offer(stream, holding, file)
            case .forget(let stream):
                uploads[stream] = nil
                serve(.stop(StreamID(Self.coordinator, stream)))
                say(.stop(Splitreel_Farm_Stop(stream: stream)))
            case .tellSending(let holding): report(.sending(holding))
            case .delivered(let holding): report(.delivered(holding))
            case .giveUp(let holding, let error): report(.gaveUp(holding, error))
            case .remove(let holding): folder?.remove(holding)
            }
        }
    }

    private func offer(_ stream: UInt64, _ holding: Holding, _ file: OutboxFile) {
        if uploads[stream] == nil {
            let path = begun[holding]?.segment.path(of: file) ?? folder?.path(of: file, of: holding)
            guard let path, let opened = try? LocalFile(path: path) else {
                let error = SplitreelError(
                    .segmentInvalid, operation: "sending a segment", subject: "task \(holding.task)",
                    reason: "its file is gone from the outbox")
                // Not in the middle of the actions that it is one of.
                post { $0.note(.refused(stream, error)) }
                return
            }
            uploads[stream] = SentFile(file: opened)
        }
        say(.offer(Splitreel_Farm_Offer(file, of: holding, slot: slot, stream: stream)))
    }

    func serve(_ event: PieceSender.Event) {
        for action in sender.handle(event, now: now) {
            guard case .send(let id, let offset, let count, let end) = action else { continue }
            guard let file = uploads[id.number]?.file else { continue }
            do {
                try files.run(for: "upload \(id.number)") { [self] in
                    let bytes = try? file.read(at: Int(offset), count: count)
                    post { $0.read(id, offset, end, bytes?.count == count ? bytes : nil) }
                }
                uploads[id.number]?.pieces.add(offset)
            } catch {
                // Not in the middle of the actions that it is one of.
                post { $0.takeBack(id, offset) }
            }
        }
    }

    /// Sends a part of a segment's file; nil where it cannot be read whole.
    private func read(_ id: StreamID, _ offset: Int64, _ end: Int64, _ bytes: [UInt8]?) {
        guard uploads[id.number]?.pieces.next(offset) == true else { return }
        guard let bytes else {
            // No repetition mends that: the segment is made again.
            let error = SplitreelError(
                .segmentInvalid, operation: "sending a segment", subject: "its file in the outbox",
                reason: "it cannot be read, or has become shorter")
            return note(.refused(id.number, error))
        }
        let piece = Splitreel_Farm_Piece(stream: id.number, offset: offset, end: end)
        guard transmit(.piece(piece), bytes) else { return takeBack(id, offset) }
        measure(bytes.count)
    }

    private func takeBack(_ id: StreamID, _ offset: Int64) {
        let place = uploads[id.number]?.pieces.takeBack(from: offset) ?? offset
        serve(.unsent(id, offset: place))
    }
}

/// A segment that is sent while the disk takes it.
struct BegunSegment: Sendable {
    let segment: CompleteSegment
    /// The actions about its end, which wait until it is kept.
    var waiting: [Outbox.Action] = []
}

extension Outbox.Action {
    /// The attempt whose segment is sent no more, by this action; nil for any other action.
    fileprivate var ended: Holding? {
        switch self {
        case .delivered(let holding), .giveUp(let holding, _), .remove(let holding): holding
        case .offer, .forget, .tellSending: nil
        }
    }
}

/// A file of a segment that is sent.
struct SentFile: Sendable {
    let file: LocalFile
    var pieces = PiecesUnderWay()
}
