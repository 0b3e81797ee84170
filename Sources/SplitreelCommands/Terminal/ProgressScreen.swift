import FarmClient

/// The telling of a job's progress, as a value: news and times in, text out. `now` is in seconds since 1970.
protocol ProgressScreen: Sendable {
    /// Takes news and answers the text to write.
    mutating func take(_ news: JobNews, now: Double, size: WatchScreen.Size) -> String
    /// Answers the text of a line that stays.
    mutating func say(_ line: String, now: Double, size: WatchScreen.Size) -> String
    /// Answers the text to write when time has passed, or the window has another size.
    mutating func tick(now: Double, size: WatchScreen.Size) -> String
    /// Answers the text after which others write.
    mutating func end() -> String
}

extension WatchScreen: ProgressScreen {}

/// Progress that nobody wants to see.
struct NoScreen: ProgressScreen {
    mutating func take(_ news: JobNews, now: Double, size: WatchScreen.Size) -> String { "" }
    mutating func say(_ line: String, now: Double, size: WatchScreen.Size) -> String { "" }
    mutating func tick(now: Double, size: WatchScreen.Size) -> String { "" }
    mutating func end() -> String { "" }
}

/// Progress as JSON, an event a line.
struct EventLines: ProgressScreen {
    private var events = ProgressEvents()

    mutating func take(_ news: JobNews, now: Double, size: WatchScreen.Size) -> String {
        events.take(news, now: now).map(Self.line) ?? ""
    }

    mutating func say(_ line: String, now: Double, size: WatchScreen.Size) -> String { Self.line(.note(line)) }
    mutating func tick(now: Double, size: WatchScreen.Size) -> String { "" }
    mutating func end() -> String { "" }

    /// An event that cannot be written is left out: progress is no result.
    private static func line(_ event: ProgressEvent) -> String {
        (try? Console.document(event)).map { $0 + "\n" } ?? ""
    }
}
