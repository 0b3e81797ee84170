internal import CFFmpeg
internal import CodedVideo
internal import Diagnostics
internal import Libav
internal import Outputs

/// New numbers for the parameter sets of x265, which has no option for them: in its header, and in the headers of its
/// slices. Confined to one thread at a time.
final class SetNumbering {
    /// The encoder's header with the new numbers, in Annex B.
    let header: [UInt8]
    private let rewriter: HEVCRewriter
    private let subject: String

    /// nil where the settings name no number, or the encoder counts so by itself. `header` is the encoder's.
    init?(_ settings: VideoSettings, header: [UInt8]) throws {
        guard settings.codec == .hevc, let number = settings.parameterSetID else { return nil }
        subject = settings.summary
        let units = NALUnits.annexB(header[...])
        let sets: HEVCParameterSets
        do throws(BitstreamFault) { sets = try HEVCParameterSets(units) } catch { throw Self.fault(error, subject) }
        func places(_ ids: some Sequence<Int>) -> [Int: Int] {
            Dictionary(ids.map { ($0, number + $0) }) { first, _ in first }
        }
        guard let ids = Renumbering(vps: [0: number], sps: places(sets.sps.keys), pps: places(sets.pps.keys)) else {
            throw Self.fault(.outOfRange("a parameter set's id"), subject)
        }
        rewriter = HEVCRewriter(sets: sets, ids: ids)
        do throws(BitstreamFault) {
            var list: [[UInt8]] = []
            for unit in units { if let renamed = try rewriter.rewritten(unit) { list.append(renamed) } }
            self.header = NALUnits.annexB(list)
        } catch {
            throw Self.fault(error, subject)
        }
    }

    /// The encoder's packet with the new numbers.
    func renumbered(_ packet: borrowing Packet) throws -> Packet {
        var list: [[UInt8]] = []
        do throws(BitstreamFault) {
            for unit in NALUnits.annexB(packet.data[...]) {
                if let renamed = try rewriter.rewritten(unit) { list.append(renamed) }
            }
        } catch {
            throw Self.fault(error, subject)
        }
        let made = try packet.with(NALUnits.annexB(list))
        let (pts, duration) = (packet.fields.pts, packet.fields.duration)
        made.update { ($0.pts, $0.duration) = (pts, duration) }
        return made
    }

    private static func fault(_ fault: BitstreamFault, _ subject: String) -> SplitreelError {
        SplitreelError(
            .encodeFailed, operation: "numbering parameter sets", subject: "\(subject)", reason: "\(fault)")
    }
}
