import ArgumentParser
import Diagnostics

struct Splitreel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "splitreel",
        abstract: "Render video compositions on many processes or machines, exactly.",
        discussion: """
            A composition is a JSON file: tracks of clips, instructions that say which tracks show when and how, \
            and an audio mix. It is split into chunks, workers render them, and the segments are stitched into one \
            film; any number of workers gives the same frames.

              splitreel new a.mp4 b.mp4 -o cut.json   a composition of clips
              splitreel render cut.json -o film.mp4   render it here, on all cores
              splitreel plan cut.json                 see how it would be split

            Machines become a farm by tokens. On the first: `splitreel keys init`, a `splitreel keys add` for each \
            machine and person, `splitreel coordinator`. On the others: `splitreel worker --token FILE`; the token \
            says where to connect. Then `splitreel submit cut.json -o film.mp4 --token FILE --watch`.

            Results go to standard output, progress and errors to standard error. Exit status: 0 done, 1 failed, \
            2 usage, 3 composition not valid, 4 media unreadable, 5 output unusable, 6 coordinator not reachable, \
            7 cancelled, 8 verification failed.
            """,
        version: Release.version,
        subcommands: [
            RenderCommand.self, CoordinatorCommand.self, WorkerCommand.self, SubmitCommand.self, JobsCommand.self,
            JobCommand.self, WatchCommand.self, CancelCommand.self, RetryCommand.self, PruneCommand.self,
            DownloadCommand.self, StoreCommand.self, CacheCommand.self,
            WorkersCommand.self, KeysCommand.self, PlanCommand.self, ValidateCommand.self, ProbeCommand.self,
            VerifyCommand.self,
            FrameCommand.self, SheetCommand.self, ExportCommand.self, RenderChunkCommand.self, StitchCommand.self,
            WaveformCommand.self, NewCommand.self, SnapCommand.self, CanonicalCommand.self, EffectsCommand.self,
            TemplatesCommand.self, PresetsCommand.self, DoctorCommand.self, ErrorCommand.self, ManualCommand.self,
        ])
}
