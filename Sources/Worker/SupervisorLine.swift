import Diagnostics
import Glibc

/// The words of a slot to the supervisor whose socket its standard input is: one byte 1 for each finished chunk, and
/// before it ends for good a byte 2 and the reason.
enum SupervisorLine {
    private static let chunkDone: UInt8 = 1
    private static let hopeless: UInt8 = 2
    /// The most bytes that are read.
    private static let longest = 64 << 10

    static func noteChunkDone(_ configuration: SlotConfiguration) { send([chunkDone], configuration) }

    static func noteHopeless(_ error: SplitreelError, _ configuration: SlotConfiguration) {
        send([hopeless] + Array(error.description.utf8.prefix(4096)), configuration)
    }

    /// Sends bytes to the supervisor; does nothing where standard input is something else.
    private static func send(_ bytes: [UInt8], _ configuration: SlotConfiguration) {
        guard configuration.watchStandardInput else { return }
        _ = unsafe Glibc.send(STDIN_FILENO, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    /// The words of an ended child on its line.
    static func read(_ line: Int32) -> (wasUseful: Bool, reason: String?) {
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while said.count < longest {
            let count = unsafe recv(line, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { break }
            said += buffer.prefix(count)
        }
        let parts = said.split(separator: hopeless, maxSplits: 1, omittingEmptySubsequences: false)
        let reason = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : nil
        return (parts.first?.isEmpty == false, reason)
    }
}
