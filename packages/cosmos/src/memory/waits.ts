/**
 * Times of the provider that depend on each other, ms unless the name says otherwise. Their relations are asserted in
 * test/memory/waits.test.ts. Intervals that a user sets are options (connection/options.ts); times within one request
 * are with the requests (service/persist.ts). What the service removes by itself is in seconds.
 */

/** How long a call is tried again. A lock bounds what is done under it, below these. */
export const READ_PATIENCE_MS = 10_000;
export const WRITE_PATIENCE_MS = 10_000;
export const ADMIN_PATIENCE_MS = 30_000;
/** Looks that are needed before the end of the lock is known. */
export const FIND_LOCK_MS = 1_000;
/** A fetch without a poll timeout has this for its requests. */
export const LEAST_FETCH_MS = 5_000;

/** A commit that arrives after the end of its lock is refused, so it is not tried in this time before it. */
export const COMMIT_MARGIN_MS = 200;
/** For messages to other instances after a commit; the reconciler delivers the rest. */
export const DELIVERY_MS = 2_000;
/** A replica that lags behind is read again after about this. */
export const LAG_MS = 12;
/** Best effort for this long to give back a lock or to note activity; the lock expires by itself. */
export const BEST_EFFORT_MS = 2_000;
/** To carry out a staged commit that was decided, beyond its lock. Any process that meets the instance goes on. */
export const FINISH_MS = 30_000;
/** An expired lock may still be given back or renewed, so it is remembered. */
export const REMEMBER_LOCK_MS = 600_000;

/**
 * Turns from memory (docs/decisions/0020-cosmos-order-and-blocked-work.md): how long turns that follow each other go on
 * without a read, and how long an instance must be free between two of them for the query to see it. The second is the
 * shortest poll interval.
 */
export const UNREAD_MS = 200;
export const FREE_MS = 20;

/**
 * Others first. Work belongs to the process that has its slot, and to all processes after a head start. A turn costs
 * another process two requests in vain, an activity one, and an idle worker costs more than that.
 */
export const TURN_HEAD_START_MS = 2_000;
export const ACTIVITY_HEAD_START_MS = 200;
/** However busy it is, a process looks at what is late in the slots of others this often. */
export const LOOK_BEYOND_MS = 5_000;
/** What was tried in vain is left to others for so long: they have looked beyond their slots by then. */
export const LEFT_TO_OTHERS_MS = 8_000;
/** An instance of a version that is not supported is left for so long; only its next execution may have another. */
export const OTHER_VERSION_MS = 10_000;
/** Passes of the reconciler become rarer while there is nothing to do, up to this factor. */
export const RECONCILER_FACTOR = 4;
/** Unfinished work of other slots is taken over after this: their process has had more than one pass. */
export const RECONCILER_HEAD_START_MS = 10_000;
/** A session is swept by the process that has its slot, and by all after this. */
export const SESSION_HEAD_START_MS = 300_000;

/** Messages without a start are hidden for a growing while. */
export const FIRST_POSTPONED_MS = 1_000;
export const LONGEST_POSTPONED_MS = 300_000;

/** Deliveries are tried again after twice the last delay, and given up after so many attempts. */
export const FIRST_REDELIVERY_MS = 1_000;
export const MOST_REDELIVERY_DOUBLINGS = 8;
export const MOST_DELIVERIES = 10;

/** A full agenda drops items that were due for so long, because this process has no worker for them, … */
export const AGENDA_STALE_MS = 60_000;
/** … and looks for such items once in this time. */
export const AGENDA_PURGE_MS = 1_000;

/** Pieces of a commit that was not decided are removed by the service. */
export const STAGED_TTL_SECONDS: number = 24 * 60 * 60;
/** The mark of a start is needed while two starts can be under way at once. */
export const START_MARK_TTL_SECONDS = 3_600;
