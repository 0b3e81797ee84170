package import DataPlane
import Diagnostics
import FarmProtocol
package import Scheduling
import SplitreelFiles
import Threads

// Segments that are sent.
extension DataLine {
    /// Sends a segment that the outbox's folder keeps. `report` tells what becomes of it.
    package nonisolated func send(_ item: OutboxItem) {
        post { $0.note(.kept(item)) }
    }

    /// Sends a segment no more, and removes it.
    package nonisolated func drop(_ holding: Holding) {
        post { $0.note(.dropped(holding)) }
    }

    func note(_ event: Outbox.Event) {
        for action in outbox.handle(event, now: now) {
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
            guard let path = folder?.path(of: file, of: holding), let opened = try? LocalFile(path: path) else {
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

/// A file of a segment that is sent.
struct SentFile: Sendable {
    let file: LocalFile
    var pieces = PiecesUnderWay()
}
