import ArgumentParser
import Diagnostics
import Glibc

/// The option of a command that can leave out what is no error.
struct QuietOptions: ParsableArguments {
    @Flag(help: "Say nothing on standard error but errors.")
    var quiet = false

    func begin() { if quiet { Console.beQuiet() } }
}

/// The options of a command that tells the progress of a job.
struct ProgressOptions: ParsableArguments {
    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Option(help: "text; or json: an event a line, on standard error.")
    var progress: Form = .text

    @Option(help: "With --progress json: an open descriptor of a file or pipe, such as 3, in place of standard error.")
    var progressFd: Int32?

    @OptionGroup var quietness: QuietOptions

    func validate() throws {
        guard let progressFd else { return }
        guard progress == .json else { throw ValidationError("--progress-fd goes with --progress json") }
        guard progressFd >= 2 else {
            throw ValidationError("--progress-fd takes 2 or more: standard input and output have a use already")
        }
    }

    /// Lets progress be told as is asked for from now on.
    ///
    /// - Parameter streams: whether the events are results, which stand on standard output.
    func begin(streams: Bool = false) throws {
        quietness.begin()
        if streams { Console.tellProgress(.results) }
        guard progress == .json else { return }
        let descriptor = progressFd ?? STDERR_FILENO
        if descriptor != STDERR_FILENO { try take(descriptor) }
        // A reader that goes away ends nothing.
        signal(SIGPIPE, SIG_IGN)
        Console.tellProgress(.events(descriptor))
    }

    /// Takes a descriptor that whoever started us left open. One that is closed at an exec is ours, and not meant.
    private func take(_ descriptor: Int32) throws {
        let flags = fcntl(descriptor, F_GETFD)
        let mode = fcntl(descriptor, F_GETFL)
        guard flags >= 0, flags & FD_CLOEXEC == 0, mode >= 0, mode & O_ACCMODE != O_RDONLY else {
            throw SplitreelError(
                .usage, operation: "", subject: "--progress-fd \(descriptor)",
                reason: "no descriptor of that number is open for writing",
                hint: "open it in the shell: \(descriptor)>progress.jsonl")
        }
        // Our children must not keep it open after us.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
