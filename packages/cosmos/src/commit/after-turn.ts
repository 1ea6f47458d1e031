/**
 * The instance document after a turn, unlocked (docs/reference/provider-contract.md §2; §7, steps 3 to 8). A new
 * execution begins as Running and unpinned, however the previous one ended (hazards W10, W11).
 */
import {
  compareSemver,
  formatSemver,
  hasEnded,
  onlyDiscards,
  PERMIT_TAG,
  packSemver,
  type Semver,
  saturatedNumber,
  unpackSemver,
} from "@duroxide-ts/core/stores";
import { type Body, NOTES_FIELD, toBody } from "../documents/body.ts";
import {
  type Instance,
  type InstanceDocument,
  type KvLayers,
  type Notes,
  optional,
  statusOf,
} from "../documents/instance.ts";
import { toTagTexts } from "../documents/tags.ts";
import type { PreparedTurn } from "./prepared-turn.ts";

/** The last turns, by which a commit whose answer was lost is recognised although others followed. */
const REMEMBERED_TURNS = 4;

export function afterTurn(instance: Instance, turn: PreparedTurn, kv: KvLayers, nowMs: number): Body {
  const { document } = instance;
  const current = saturatedNumber(document.currentExecutionId);
  return {
    ...toBody(document),
    ...identityAfter(document, turn, nowMs),
    ...executionAfter(instance, turn, current),
    ...(turn.customStatus !== undefined && {
      customStatus: turn.customStatus.status,
      customStatusVersion: saturatedNumber(document.customStatusVersion) + 1,
    }),
    lockToken: null,
    lockedUntil: null,
    ...(!onlyDiscards(instance.document.status, turn.events, turn.metadata) && { updatedAt: nowMs }),
    [NOTES_FIELD]: notesAfter(withTags(instance, turn), turn, kv, nowMs, current),
  };
}

/** The turn that names the instance sets its parent and creation time. They never change. */
function identityAfter(document: InstanceDocument, { metadata }: PreparedTurn, nowMs: number): Body {
  const { orchestrationName, orchestrationVersion, parentInstanceId = null } = metadata;
  if (orchestrationName === undefined || orchestrationVersion === undefined) return {};
  const isNew = document.orchestrationName === "";
  return {
    orchestrationName,
    orchestrationVersion,
    ...(isNew && { parentInstanceId: document.parentInstanceId ?? parentInstanceId, createdAt: nowMs }),
  };
}

/**
 * A turn of an earlier execution does not change the current one (execution-records.ts). A turn without a status keeps the
 * stored one, which Rust may have written.
 */
function executionAfter(instance: Instance, { executionId, metadata }: PreparedTurn, current: number): Body {
  if (executionId < current) return {};
  const { status, output, pinnedVersion } = metadata;
  const kept =
    executionId > current
      ? { status: "Running", output: null, pinnedDuroxideVersionPacked: null }
      : {
          ...statusOf(instance),
          pinnedDuroxideVersionPacked: instance.document.pinnedDuroxideVersionPacked,
        };
  return {
    currentExecutionId: executionId,
    ...kept,
    ...(status !== undefined && { status, output: output ?? null }),
    ...(pinnedVersion !== undefined && { pinnedDuroxideVersionPacked: packSemver(pinnedVersion) }),
  };
}

/** A turn without an instance, which has no name before and after it, stores no tags. */
function withTags({ document, notes }: Instance, { metadata }: PreparedTurn): Notes {
  const { tags, orchestrationName = document.orchestrationName } = metadata;
  if (tags === undefined || orchestrationName === "") return notes;
  return optional({ ...notes, tags: toTagTexts(tags) });
}

/**
 * The fields that only we write. Rust removes them all when it writes the instance, so each has a meaning when it is
 * absent: "not known", never "none".
 *
 * - `taken` and `blocked` end with every turn, because the turn has consumed its messages.
 * - `alone` keeps the rows that still wait for their run alone.
 * - `turns` gets the secret of this turn in front, so that a commit whose answer was lost is recognised.
 * - `lastEventId`, `pinned` and `startsAt` are of the current execution, and begin anew with the next one.
 * - `limitKey` ends with the instance, and `waitsFor` with the answer to the call for its permit.
 * - `tags` are those that the turn names, else those before.
 * - `completedAt` and `failure` stay as they are until a turn ends the execution.
 */
function notesAfter(before: Notes, turn: PreparedTurn, kv: KvLayers, nowMs: number, current: number): Notes {
  const { taken = {}, blocked: _, alone = [], turns = [], ...kept } = before;
  const stillAlone = alone.filter((rowId) => taken[rowId] === undefined);
  const remembered = {
    kv,
    turns: [turn.token.secret, ...turns].slice(0, REMEMBERED_TURNS),
    ...(stillAlone.length > 0 && { alone: stillAlone }),
  };
  if (turn.executionId < current) return { ...kept, ...remembered };
  const isCurrent = turn.executionId === current;
  const lastOfTurn = Math.max(0, ...turn.events.map(({ eventId }) => eventId));
  const { status, pinnedVersion } = turn.metadata;
  const { completedAt, failure } = isCurrent ? kept : {};
  const pinned =
    pinnedVersion === undefined ? (isCurrent ? kept.pinned : undefined) : unpackable(pinnedVersion);
  const lastEventId = isCurrent ? kept.lastEventId : 0;
  return {
    // These belong to the instance, not to an execution, so they survive a continue-as-new.
    ...optional({ deletion: kept.deletion, suspended: kept.suspended, tags: kept.tags }),
    ...(status === undefined || !hasEnded(status) ? limitAfter(kept, turn, isCurrent) : {}),
    ...remembered,
    // Without notes the number of events is unknown.
    ...(lastEventId !== undefined && { lastEventId: Math.max(lastEventId, lastOfTurn) }),
    ...optional({
      pinned,
      startsAt: turn.startsAtMs ?? (isCurrent ? kept.startsAt : undefined),
      startedAt: isCurrent && !isFirstTurn(kept, turn) ? kept.startedAt : nowMs,
    }),
    ...(status === undefined ? optional({ completedAt, failure }) : ended(turn, nowMs)),
  };
}

/** An instance waits for its permit from the commit that stores the call to the one that stores its answer. */
function limitAfter(
  { limitKey, waitsFor }: Notes,
  { activities, events }: PreparedTurn,
  isCurrent: boolean,
): Notes {
  const call = activities.find(({ tag }) => tag === PERMIT_TAG);
  if (call !== undefined) return optional({ limitKey: call.limit, waitsFor: saturatedNumber(call.id) });
  const isAnswered = events.some(
    ({ event }) => "source_event_id" in event && Number(event.source_event_id) === waitsFor,
  );
  return optional({ limitKey, waitsFor: isCurrent && !isAnswered ? waitsFor : undefined });
}

/**
 * Returns whether the turn begins an execution. Without notes only one that stores the first event does; the history
 * has the time of others.
 */
function isFirstTurn({ startedAt, lastEventId }: Notes, { events }: PreparedTurn): boolean {
  return startedAt === undefined && (lastEventId === 0 || events.some(({ eventId }) => eventId === 1));
}

/** The version as a text where the packed form, which Rust reads, loses something: parts from 1,000 on overlap in it. */
function unpackable(version: Semver): string | undefined {
  const isExact = compareSemver(unpackSemver(packSemver(version)), version) === 0;
  return isExact ? undefined : formatSemver(version);
}

function ended({ metadata, failure }: PreparedTurn, nowMs: number): Notes {
  return { completedAt: nowMs, ...(metadata.status === "Failed" && optional({ failure })) };
}
