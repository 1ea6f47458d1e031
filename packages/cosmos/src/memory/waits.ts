/**
 * Times of the provider that depend on each other, ms unless the name says otherwise. Their relations are asserted in
 * test/memory/waits.test.ts. Intervals that a user sets are options (connection/options.ts); times within one request
 * are with the requests (service/persist.ts). Times to live of the service are in seconds.
 */

/** How long a call is retried. For calls under a lock, the lock is a further limit. */
export const READ_TIMEOUT_MS = 10_000;
export const WRITE_PATIENCE_MS = 10_000;
export const ADMIN_TIMEOUT_MS = 30_000;
/** Messages and starts of clients, which nobody else retries: longer than the limit of one request. */
export const SEND_PATIENCE_MS = 30_000;
/** The next report comes soon, and a shutdown waits for the removal. */
export const WORKER_PATIENCE_MS = 1_000;
/** The limit for freeing the locks of dead processes; those that are left end by themselves. */
export const FREE_DEAD_MS = 10_000;
/** The limit of reads that are needed before the end of the lock is known. */
export const FIND_LOCK_MS = 1_000;
/** The limit for the read before a turn whose start is not stored: its caller waits for it. */
export const READ_FIRST_MS = 1_000;
/** The limit for the commit of such a turn. */
export const COMMIT_START_MS = 5_000;
/** The limit for the requests of a fetch without a poll timeout. */
export const LEAST_FETCH_MS = 5_000;

/** A commit that arrives after the end of its lock is rejected, so none is sent within this time before the end. */
export const COMMIT_MARGIN_MS = 200;
/** The limit for delivering messages to other instances after a commit; the reconciler delivers the rest. */
export const DELIVERY_MS = 2_000;
/** The limit for releasing a lock or marking a session as active: best effort, because the lock expires. */
export const BEST_EFFORT_MS = 2_000;
/** How long a delivered intent waits for a commit of its sender that deletes it, at most half of `reconcilerAgeMs`. */
export const RIDE_MS = 1_000;
/**
 * The limit for applying a piece of a decided staged commit, beyond its lock. Any process that finds the instance
 * continues it.
 */
export const FINISH_MS = 30_000;
/** While pieces of a commit are stored, the lock of the instance lasts at least this long from the last extension on. */
export const STAGE_LOCK_MS = 30_000;
/** A staged commit that takes longer than this is shown as blocked by the store, … */
export const SLOW_STAGE_MS = 60_000;
/** … as soon as its first pieces have taken this long, which tells what the store gives. */
export const MEASURED_STAGE_MS = 10_000;
/** An expired lock may still be released or renewed, so it is remembered for this time. */
export const REMEMBER_LOCK_MS = 600_000;

/**
 * A query that was answered before a commit may list the messages that the commit consumed, for no longer than this. A
 * message that is listed later was stored again by a delayed request.
 */
export const GONE_MS = 30_000;

/**
 * Turns from memory (docs/decisions/messages.md): how long consecutive turns may run without
 * a read, and how long an instance must be unlocked between two turns so that the query finds it. The second is the
 * shortest poll interval.
 */
export const UNREAD_MS = 200;
export const FREE_MS = 20;

/**
 * How long visible work is left to the process whose turn it is. An attempt that comes too late costs another process two
 * requests for a turn and one for an activity. A busy process polls several times in this time.
 */
export const HEAD_START_MS = 200;
/** How long unusable items are left to others, each of which has had its turn by then in most cases. */
export const LEFT_TO_OTHERS_MS = 8_000;
/** How long an instance of an unsupported version is left; only its next execution may have another version. */
export const OTHER_VERSION_MS = 10_000;
/** Work of a name that is not registered here is left to processes that know it, from when it became visible. */
export const UNKNOWN_NAME_HEAD_START_MS = 10_000;
/** How often noted blocked work is examined: its instance may have been cancelled, or continue under another name. */
export const NOTED_NAME_MS = 60_000;
/** The interval of the reconciler grows up to this factor while it finds no work. */
export const RECONCILER_FACTOR = 4;
/**
 * A process whose last fetch is longer ago looks only for unfinished work of its own
 * (docs/decisions/cosmos-delivery.md).
 */
export const SERVING_MS = 60_000;
/** Processes take turns at sweeping the physical partitions; each sweeps some of them whenever it is called. */
export const SWEEP_INTERVAL_MS = 60_000;

/** A lock that the service refuses to write is retried after this time, which doubles with each refusal. */
export const FIRST_REFUSED_MS = 1_000;
export const LONGEST_REFUSED_MS = 60_000;
/** The most refusals in one fetch that are reported one by one; one more fails the fetch. */
export const MOST_REFUSED_LOCKS = 2;

/** Messages without a start are hidden for a growing time, first for this. */
export const FIRST_POSTPONED_MS = 1_000;
export const LONGEST_POSTPONED_MS = 300_000;

/**
 * Deliveries are retried after twice the last delay, and abandoned after the maximum number of attempts. Passing failures
 * count up to their own maximum only, so they lead neither to the longest delays nor to the end of a message.
 */
export const FIRST_REDELIVERY_MS = 1_000;
export const MOST_REDELIVERY_DOUBLINGS = 8;
export const MOST_PASSING_FAILURES = 5;
export const MOST_DELIVERIES = 10;

/** A message that is older is delivered only if the target shows no trace of it: its receipt may have expired. */
export const OLD_INTENT_MS: number = 12 * 60 * 60 * 1_000;

/** A full agenda deletes items that were due for this time, because this process has no worker for them, … */
export const AGENDA_STALE_MS = 60_000;
/** … and searches such items once in this time. */
export const AGENDA_PURGE_MS = 1_000;

/** The mark of a start is needed while two starts can run concurrently. */
export const START_MARK_TTL_SECONDS = 3_600;

/** A rule of a limit that was read longer ago is read again before an activity begins under it. */
export const RULE_FRESH_MS = 5_000;
/** How often a process asks for permits that others have. */
export const ASK_FOR_PERMITS_MS = 1_000;
/** A share ends so much later for others, because clocks differ. */
export const SHARE_SKEW_MS = 2_000;
/** A share that nothing uses is returned after this time. */
export const RETURN_SHARE_MS = 1_000;
/** A process that has no permits is asked for no longer than this after it has wanted some. */
export const WANTED_MS = 10_000;
/** Work that has missed its slot waits no longer than this for another one under its lock. */
export const LONGEST_SLOT_WAIT_MS = 1_000;
/** How long the slots of a rate last that a process reserves at once. */
export const RESERVED_SLOTS_MS = 5_000;
/** Ranked rows of other processes are looked for so long after their mark was seen. */
export const RANKED_ACTIVE_MS = 60_000;
/** The mark is kept so long, and written again when half of it is over. */
export const RANKED_MARK_MS = 600_000;
/** Permits of instances that have ended are looked for so often while instances wait for permits. */
export const SWEEP_PERMITS_MS = 15_000;
