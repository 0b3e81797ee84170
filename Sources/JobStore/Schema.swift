import GRDB

/// The tables of the store. A migration that was released is never edited; changes are new ones.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: first) }
        migrator.registerMigration("notices") { try $0.execute(sql: notices) }
        migrator.registerMigration("bounds") { try $0.execute(sql: bounds) }
        migrator.registerMigration("runs") { try $0.execute(sql: runs) }
        migrator.registerMigration("effects") { try $0.execute(sql: effects) }
        migrator.registerMigration("needs") { try $0.execute(sql: needs) }
        migrator.registerMigration("event slots") { try $0.execute(sql: eventSlots) }
        migrator.registerMigration("further outputs") { try $0.execute(sql: furtherOutputs) }
        migrator.registerMigration("keys") { try $0.execute(sql: keys) }
        migrator.registerMigration("event phrases") { try $0.execute(sql: eventPhrases) }
        migrator.registerMigration("made for") { try $0.execute(sql: madeFor) }
        migrator.registerMigration("request groups", migrate: groupRequests)
        migrator.registerMigration("kept") { try $0.execute(sql: kept) }
        migrator.registerMigration("texts") { try $0.execute(sql: texts) }
        migrator.registerMigration("work done") { try $0.execute(sql: workDone) }
        migrator.registerMigration("owner") { try $0.execute(sql: owner) }
        migrator.registerMigration("key names") { try $0.execute(sql: keyNames) }
        migrator.registerMigration("source bytes") { try $0.execute(sql: sourceBytes) }
        migrator.registerMigration("lead cost") { try $0.execute(sql: leadCost) }
        return migrator
    }

    /// The notices that a person should know, as `NoticeList` in JSON: `jobs.notices` of planning (`jobs.warnings` is
    /// of before), `tasks.notices` of the segment that was committed. NULL for none.
    private static let notices = """
        ALTER TABLE jobs ADD COLUMN notices TEXT;
        ALTER TABLE tasks ADD COLUMN notices TEXT;
        CREATE INDEX tasks_notices ON tasks(job) WHERE notices IS NOT NULL;
        """

    /// The requirements on workers and the counts that tell how large the past is; compositions of ended jobs, which
    /// nobody reads, go.
    private static let bounds = """
        ALTER TABLE jobs ADD COLUMN versions TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE jobs ADD COLUMN encoders TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE jobs ADD COLUMN task_count INTEGER NOT NULL DEFAULT 0;
        UPDATE jobs SET task_count = (SELECT count(*) FROM tasks WHERE tasks.job = jobs.id);
        UPDATE jobs SET composition = '' WHERE state IN ('completed', 'failed', 'cancelled');
        """

    /// The frames of a film that a slot renders on end; a job of before has a run for each chunk.
    private static let runs = "ALTER TABLE jobs ADD COLUMN run_frames INTEGER NOT NULL DEFAULT 1;"

    /// The registered effects that workers must have.
    private static let effects = "ALTER TABLE jobs ADD COLUMN effects TEXT NOT NULL DEFAULT '[]';"

    /// The effects of these that a task needs, as places in JSON. NULL for all.
    private static let needs = "ALTER TABLE tasks ADD COLUMN needs TEXT;"

    /// The slot that had a task, in the event; and an index that gives a job's events in their order, page by page.
    private static let eventSlots = """
        ALTER TABLE events ADD COLUMN slot TEXT NOT NULL DEFAULT '';
        DROP INDEX events_job;
        CREATE INDEX events_of_job ON events(job);
        """

    /// The paths of a job's outputs after the first one, in JSON; from the requests of before.
    private static let furtherOutputs = """
        ALTER TABLE jobs ADD COLUMN further TEXT NOT NULL DEFAULT '[]';
        UPDATE jobs SET further = (
            SELECT json_group_array(json_extract(value, '$.path')) FROM json_each(jobs.request) WHERE key > 0
        ) WHERE CASE WHEN json_valid(request) THEN json_type(request) END = 'array';
        """

    /// The SHA-256 that is the key of a task's content, 32 bytes. NULL for tasks of before.
    private static let keys = "ALTER TABLE tasks ADD COLUMN content_key BLOB;"

    /// The parts of an event's text in JSON, where it names settings; NULL for others.
    private static let eventPhrases = "ALTER TABLE events ADD COLUMN phrase TEXT;"

    /// The path of a command's own output, which a job's output is made for; NULL for others, and for jobs of before.
    private static let madeFor = "ALTER TABLE jobs ADD COLUMN made_for TEXT;"

    /// The bytes that are kept of a job that failed. NULL where nothing is kept, not even its composition. Whoever
    /// removes old jobs passes over those that are kept: their folders would be nobody's.
    private static let kept = """
        ALTER TABLE jobs ADD COLUMN kept_bytes INTEGER;
        CREATE INDEX jobs_kept ON jobs(number) WHERE kept_bytes IS NOT NULL;
        CREATE TRIGGER kept_jobs_stay BEFORE DELETE ON jobs WHEN OLD.kept_bytes IS NOT NULL
        BEGIN SELECT RAISE(IGNORE); END;
        """

    /// The long compositions in pieces, stored before their jobs are, whose `composition` is empty then. They go when
    /// that is emptied again, and with the job.
    private static let texts = """
        CREATE TABLE texts (
            job TEXT NOT NULL,
            part INTEGER NOT NULL,
            content BLOB NOT NULL,
            PRIMARY KEY (job, part)
        ) STRICT;
        CREATE TRIGGER texts_go_when_emptied AFTER UPDATE OF composition ON jobs WHEN NEW.composition = ''
        BEGIN DELETE FROM texts WHERE job = NEW.id; END;
        CREATE TRIGGER texts_go_with_jobs AFTER DELETE ON jobs
        BEGIN DELETE FROM texts WHERE job = OLD.id; END;
        """

    /// The work that was done when a job ended, as every report of it tells. NULL before, and for jobs of before.
    private static let workDone = """
        ALTER TABLE jobs ADD COLUMN work_frames INTEGER;
        ALTER TABLE jobs ADD COLUMN work_frames_done INTEGER;
        ALTER TABLE jobs ADD COLUMN work_chunks INTEGER;
        ALTER TABLE jobs ADD COLUMN work_chunks_done INTEGER;
        """

    /// The person who submitted a job, as USER@HOST. NULL where nobody said, and for jobs of before.
    private static let owner = "ALTER TABLE jobs ADD COLUMN owner TEXT;"

    /// The name of the key under which a job was submitted. NULL where the farm had no keys.
    private static let keyNames = "ALTER TABLE jobs ADD COLUMN key_name TEXT;"

    /// The bytes of sources that came from afar, as `SourceBytes` in JSON: of a job at its end, of a task with its
    /// segment. NULL where none did.
    private static let sourceBytes = """
        ALTER TABLE jobs ADD COLUMN source_bytes TEXT;
        ALTER TABLE tasks ADD COLUMN source_bytes TEXT;
        """

    /// The work of a slot that did not render the chunk before a task. 0 for tasks of before.
    private static let leadCost = "ALTER TABLE tasks ADD COLUMN lead_cost REAL NOT NULL DEFAULT 0;"

    private static let first = """
        CREATE TABLE jobs (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            priority INTEGER NOT NULL,
            composition TEXT NOT NULL,
            request TEXT NOT NULL,
            output TEXT NOT NULL,
            submitted REAL NOT NULL,
            state TEXT NOT NULL,
            started REAL NOT NULL DEFAULT 0,
            ended REAL NOT NULL DEFAULT 0,
            plan_hash TEXT,
            folder TEXT,
            frames INTEGER NOT NULL DEFAULT 0,
            warnings TEXT NOT NULL DEFAULT '[]',
            film TEXT,
            outcome TEXT,
            error TEXT
        ) STRICT;
        CREATE INDEX jobs_state ON jobs(state);
        CREATE TABLE tasks (
            job TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
            task INTEGER NOT NULL,
            kind TEXT NOT NULL,
            cost REAL NOT NULL,
            first_unit INTEGER NOT NULL,
            unit_count INTEGER NOT NULL,
            label TEXT NOT NULL,
            state TEXT NOT NULL,
            epoch INTEGER NOT NULL DEFAULT 0,
            lease BLOB,
            slot TEXT NOT NULL DEFAULT '',
            worker TEXT NOT NULL DEFAULT '',
            tries INTEGER NOT NULL DEFAULT 0,
            losses INTEGER NOT NULL DEFAULT 0,
            failed_workers TEXT NOT NULL DEFAULT '[]',
            segment TEXT,
            segment_hash BLOB,
            started REAL NOT NULL DEFAULT 0,
            ended REAL NOT NULL DEFAULT 0,
            error TEXT,
            PRIMARY KEY (job, task)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE events (
            number INTEGER PRIMARY KEY,
            job TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
            task INTEGER,
            at REAL NOT NULL,
            text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX events_job ON events(job, task);
        """
}
