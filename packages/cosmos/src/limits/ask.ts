/** Reads rules and asks for shares (docs/decisions/limits.md). */
import { type LimitRule, latenessMs, levelsOf, slotMs } from "@duroxide-ts/core/stores";
import { limitsPartition } from "../documents/ids.ts";
import type { Use } from "../documents/limit-documents.ts";
import type { Work } from "../memory/parts.ts";
import type { Level, Permits } from "../memory/permits.ts";
import { slotsLeft } from "../memory/rate-slots.ts";
import { ASK_FOR_PERMITS_MS, RESERVED_SLOTS_MS, RULE_FRESH_MS, WANTED_MS } from "../memory/waits.ts";
import type { BatchOperation } from "../service/batch.ts";
import { documentsOf, LevelDocuments } from "./level-documents.ts";
import { divided, type Reserved, reserved } from "./shares.ts";

/** Further slots of a rate are reserved while these are left, ms. */
const FEW_SLOTS_MS = 1_000;

/** The part of a lock by which a share lasts longer, so that not each begin extends it. */
const SLACK = 0.25;

/** Time to the next request, ms. */
const ASK_AGAIN_MS = { now: 0, soon: ASK_FOR_PERMITS_MS, later: RULE_FRESH_MS } as const;

/** Conflicts with other processes in one call. */
const MOST_CONFLICTS = 5;

/** The work of one group that a process could begin now. */
export interface Asking {
  readonly group: string;
  readonly levels: ReadonlySet<string>;
  /** Rows that wait, by key. */
  readonly waiting: ReadonlyMap<string, number>;
  /** Fetches that wait for them. */
  readonly fetches: number;
  /** Duration of the locks that they would take, ms. */
  readonly lockMs: number;
}

/** One request at a time for a group: an answer that needs no write says nothing about one that came before it. */
export function ask(work: Work, asking: Asking): Promise<void> {
  return work.memory.permits.inTurn(asking.group, () => askInTurn(work, asking));
}

async function askInTurn(work: Work, asking: Asking): Promise<void> {
  const { group } = asking;
  const { permits } = work.memory;
  for (let attempt = 1; attempt <= MOST_CONFLICTS; attempt++) {
    const nowMs = work.clock.now();
    const { documents, changes } = await planned(work, asking, nowMs);
    const operations = operationsOf(changes);
    const outcome =
      operations.length === 0 ? undefined : await work.batch(limitsPartition(group), operations);
    if (outcome === undefined || outcome.ok) {
      if (outcome !== undefined) {
        permits.asking.measured(work.clock.now() - nowMs);
        permits.reads.wereWritten(group, documents.after(operations, outcome));
      }
      for (const { level, state } of changes) permits.set(level, state());
      return;
    }
    permits.reads.forget(group);
    await work.again(attempt);
  }
}

interface Change {
  readonly level: string;
  readonly operation: BatchOperation | undefined;
  /** The state once it is written. A slot may have been used meanwhile. */
  readonly state: () => Level;
}

function operationsOf(changes: readonly Change[]): readonly BatchOperation[] {
  return changes.flatMap(({ operation }) => operation ?? []);
}

interface Plan {
  readonly documents: LevelDocuments;
  readonly changes: readonly Change[];
}

/** Reads the documents, unless they are probably as they were: the write will show it. */
async function planned(work: Work, asking: Asking, nowMs: number): Promise<Plan> {
  const { group, levels } = asking;
  const ids = documentsOf(levels);
  const { changes, reads } = work.memory.permits;
  const planWith = (documents: LevelDocuments): Plan => ({
    documents,
    changes: [...levels].map((level) => plannedLevel(work, asking, { level, documents, nowMs })),
  });
  const likely = reads.likely(group, ids, { changes, nowMs });
  const plan = likely && planWith(new LevelDocuments(likely));
  if (plan !== undefined && operationsOf(plan.changes).length > 0) return plan;
  const documents = await LevelDocuments.read(work, group, ids);
  reads.wereRead(group, documents.read, changes);
  return planWith(documents);
}

interface At {
  readonly level: string;
  readonly documents: LevelDocuments;
  readonly nowMs: number;
}

function plannedLevel({ memory }: Work, asking: Asking, at: At): Change {
  const { level, documents, nowMs } = at;
  const { permits } = memory;
  const { changes } = permits;
  const known = permits.get(level) ?? UNREAD;
  const { rule, perMs = 0 } = documents.ruleOf(level) ?? {};
  const isSameRate = perMs === known.perMs && rule?.rate?.max === known.rule?.rate?.max;
  const asked: Asked = { rule, perMs, known, before: documents.useOf(level), isSameRate };
  const waiting = waitingUnder(asking, level);
  const part = partOf(permits, asking, { ...at, waiting }, asked);
  const slots = slotsOf(permits, asked, part.use, { waiting, nowMs });
  // Nothing begins beyond it while it is written.
  permits.set(level, { ...known, permits: Math.min(known.permits, part.most) });
  const isChanged = part.isChanged || slots !== undefined;
  return {
    level,
    operation: isChanged ? documents.write(level, slots?.use ?? part.use, nowMs) : undefined,
    state: () => {
      const current = permits.get(level) ?? known;
      return {
        rule,
        perMs,
        // A rule that has changed since is read again.
        readAtMs: permits.changes === changes ? documents.read.readAtMs : Number.NEGATIVE_INFINITY,
        askedAtMs: nowMs,
        permits: part.most,
        share: part.share,
        untilMs: part.untilMs,
        slots: [
          ...(isSameRate ? slotsLeft(current, nowMs) : []),
          ...(slots === undefined ? [] : [slots.slots]),
        ],
        askAtMs: part.askAtMs,
        block: slots?.block ?? known.block,
        beganAtMs: current.beganAtMs,
      };
    },
  };
}

const UNREAD: Level = {
  rule: undefined,
  perMs: 0,
  readAtMs: Number.NEGATIVE_INFINITY,
  askedAtMs: Number.NEGATIVE_INFINITY,
  permits: 0,
  share: 0,
  untilMs: 0,
  slots: [],
  askAtMs: 0,
  block: 0,
  beganAtMs: Number.NEGATIVE_INFINITY,
};

interface Asked {
  readonly rule: LimitRule | undefined;
  readonly perMs: number;
  readonly known: Level;
  readonly before: Use;
  readonly isSameRate: boolean;
}

function waitingUnder({ waiting }: Asking, level: string): number {
  let count = 0;
  for (const [key, ofKey] of waiting) if (levelsOf(key).includes(level)) count += ofKey;
  return count;
}

interface Part {
  readonly use: Use;
  readonly most: number;
  readonly share: number;
  readonly untilMs: number;
  readonly askAtMs: number;
  readonly isChanged: boolean;
}

/** The share as it may be now. One that is large enough and lasts for long enough stays as it is. */
function partOf(
  permits: Permits,
  { fetches, lockMs }: Asking,
  { level, nowMs, waiting }: At & { readonly waiting: number },
  { rule, before }: Asked,
): Part {
  const process = permits.process;
  const old = before.shares[process];
  const running = permits.running(level, nowMs);
  const useful = running + Math.min(waiting, fetches);
  // What it has is not given up between two fetches.
  const wants = Math.max(useful, Math.min(old?.wants ?? 0, running + waiting));
  const { concurrency } = rule ?? {};
  if (concurrency === undefined)
    return { use: before, most: 0, share: 0, untilMs: 0, askAtMs: nowMs, isChanged: false };
  const neededMs = nowMs + lockMs;
  const lockedUntilMs = neededMs + Math.ceil(lockMs * SLACK);
  const next = divided(before, concurrency, { process, running, wants, lockedUntilMs, nowMs });
  const { share, most, more } = next;
  const askAtMs = nowMs + ASK_AGAIN_MS[more];
  const lasts = (old?.untilMs ?? 0) >= (share?.permits === 0 ? nowMs + WANTED_MS / 2 : neededMs);
  const isSame =
    share?.permits === old?.permits && share?.wants === old?.wants && (lasts || share === undefined);
  const held = { most, share: share?.permits ?? 0, askAtMs };
  if (isSame) return { ...held, use: before, untilMs: old?.untilMs ?? 0, isChanged: false };
  return { ...held, use: next.use, untilMs: share?.untilMs ?? 0, isChanged: true };
}

interface NewSlots extends Reserved {
  readonly block: number;
}

/** Further slots, where few are left for what waits. A block that was used up is followed by a larger one. */
function slotsOf(
  permits: Permits,
  { rule, perMs, known, isSameRate }: Asked,
  use: Use,
  { waiting, nowMs }: { readonly waiting: number; readonly nowMs: number },
): NewSlots | undefined {
  if (rule?.rate === undefined || waiting === 0) return undefined;
  const { slots, block: before } = isSameRate ? known : UNREAD;
  if (permits.slotsEndMs({ rule, perMs, slots }, nowMs) - nowMs > FEW_SLOTS_MS) return undefined;
  const everyMs = slotMs(rule, perMs);
  const inTime = (ms: number): number => Math.max(1, Math.floor(ms / everyMs));
  const isUsed = slots.every(({ nextMs }) => nowMs - nextMs < everyMs + latenessMs(perMs));
  const next = isUsed ? 2 * before : Math.floor(before / 2);
  const block = Math.min(Math.max(inTime(FEW_SLOTS_MS), next), inTime(RESERVED_SLOTS_MS));
  // The first one comes when the answer has come, and its begin is prepared.
  const fromMs = nowMs + permits.asking.expectedMs + permits.leadMs;
  return { ...reserved(use, { rule, perMs }, Math.min(block, waiting), fromMs), block };
}
