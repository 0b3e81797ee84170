import Confinement
import Diagnostics
import Foundation
import Glibc
import MediaTime
import Synchronization
import Threads
import Transport

/// One process that reads media for us, seen from here. It leaves when its line is closed, however we end.
final class MediaChild: Sendable {
    /// The reason for a missing answer.
    enum Failure: Error {
        case stopped
        /// The process was ended for standing still for so long, in seconds.
        case tooLate(Double)
        case tooLong
        /// The process ended by itself.
        case ended(ChildEnding)
    }

    private let line: Int32
    /// The process's number; nil once it is reaped: the number may be another's then.
    private let pid: Mutex<pid_t?>
    private let requests = Atomic<Int>(0)
    /// The sources that the process has probed lately.
    private let sources = Mutex<[String]>([])
    /// Whether the process has grown and is not to be used again.
    let isSpent = Atomic<Bool>(false)

    /// The most bytes of a message to it. They are our own and may be large: a plan has a line for every chunk.
    static let mostRequestBytes = 1 << 30

    /// Starts the process with these arguments, and what is its own after them.
    init(executable: String, arguments: [String], own: MediaChildArguments) throws {
        let (ours, theirs) = try connectedPair(failure: .internalFault)
        defer { close(theirs) }
        var start = ProcessStart(
            executable: executable, name: "splitreel", arguments: arguments + own.options,
            environment: ChildEnvironment.kept(of: ProcessInfo.processInfo.environment), standardInput: theirs)
        start.isSilent = true
        do {
            pid = Mutex(try start.start(failure: .internalFault))
        } catch {
            close(ours)
            throw error
        }
        line = ours
    }

    deinit {
        end()
        close(line)
    }

    /// Whether the process has answered before: what ends it now may be an earlier file's doing.
    var isUsed: Bool { requests.load(ordering: .relaxed) > 0 }

    func hasRead(_ source: String) -> Bool { sources.withLock { $0.contains(source) } }

    func noteRead(_ source: String) {
        sources.withLock { sources in
            sources.append(source)
            if sources.count > 64 { sources.removeFirst() }
        }
    }

    /// Sends an order, with the descriptors of its files, and waits for its answer: for as long as the process works,
    /// and for `standing` seconds in which it stands still, beside the time in which `isPaused` says that it has to
    /// wait. After any failure the process is gone, or will be when the system lets go of it.
    func exchange(
        _ order: MediaOrder, with descriptors: [Int32], standing: Double, answerBytes: Int, stop: WorkStop?,
        isPaused: (() -> Bool)? = nil
    ) throws(Failure) -> MediaAnswer {
        var line = MessageLine(
            descriptor: line, patience: (.seconds(standing), { self.work }), isStopped: { stop?.isStopped ?? false },
            isPaused: isPaused)
        do throws(MessageLine.Failure) {
            guard let message = try? JSONEncoder().encode(order) else { throw MessageLine.Failure.tooLong }
            try line.send(message, with: descriptors)
            let answer = try line.receive(limit: answerBytes)
            let decoder = JSONDecoder()
            if let room = FrameTimes.room { decoder.userInfo[room] = FrameTimes.Room(FrameTimes.mostFrames) }
            guard let read = try? decoder.decode(MediaAnswer.self, from: answer) else {
                throw MessageLine.Failure.tooLong
            }
            requests.add(1, ordering: .relaxed)
            return read
        } catch {
            let ending = end()
            switch error {
            case .stopped: throw .stopped
            case .tooLate: throw .tooLate(standing)
            case .tooLong: throw .tooLong
            case .ended: throw stop?.isStopped == true ? .stopped : .ended(ending)
            }
        }
    }

    private var work: ProcessWork? { pid.withLock { $0 }.flatMap { ProcessWork(of: $0) } }

    /// Ends the process and whatever it started, from any thread; who waits for its answer sees that.
    func kill() {
        pid.withLock { pid in
            guard let pid else { return }
            _ = Glibc.kill(-pid, SIGKILL)
            _ = Glibc.kill(pid, SIGKILL)
        }
    }

    /// Ends the process and takes leave of it. One that hangs in the system is left to a later look.
    @discardableResult
    func end() -> ChildEnding {
        kill()
        // The process's end of the line closes when it is gone: from then on waiting for it takes no time.
        var gone = pollfd(fd: line, events: 0, revents: 0)
        _ = poll(&gone, 1, 1000)
        return pid.withLock { pid in
            guard let number = pid else { return ChildEnding() }
            pid = nil
            guard gone.revents != 0 else {
                Self.lingering.withLock { $0.append(number) }
                return ChildEnding()
            }
            return ChildEnding(reaping: number)
        }
    }

    private static let lingering = Mutex<[pid_t]>([])

    /// Looks again after processes that did not end in time.
    static func reapLingering() {
        lingering.withLock { $0.removeAll { waitpid($0, nil, WNOHANG) != 0 } }
    }
}

/// The end of a process, as far as it is known.
struct ChildEnding {
    var exitStatus: Int32?
    var signal: Int32?
    var peakBytes = 0

    init() {}

    /// Waits for a process's end. Blocks until it has ended.
    init(reaping pid: pid_t) {
        var (status, usage) = (Int32(0), rusage())
        while wait4(pid, &status, 0, &usage) < 0 && errno == EINTR {}
        let number = status & 0x7F
        if number == 0 { exitStatus = (status >> 8) & 0xFF } else { signal = number }
        peakBytes = Int(usage.ru_maxrss) << 10
    }

    var words: String {
        if let signal { return "it ended the process that read it with signal \(signal)" }
        return "the process that read it ended with status \(exitStatus ?? -1)"
    }
}
