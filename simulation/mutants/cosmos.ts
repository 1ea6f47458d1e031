/** Bugs of the Cosmos DB provider. */
import { type Edit, type Mutant, named } from "./mutant.ts";

/** The decision of a staged commit is made once, under the ETag of this lease. */
const decidedOnce = (lease: string): Edit => ({
  file: "cosmos/src/commit/staging.ts",
  find: "      const outcome = await writeUnder(TURN_LEASE, work, this.lease, (held) => attempt(held, work));\n      if",
  replace: `      const outcome = await attempt(${lease}, work);\n      if (outcome.kind === "lost") throw ProviderError.lockLost(work.operation);\n      if`,
});

/** The edit that stages once more what is refused at the decision. */
const LOST_AT_DECISION: Edit = {
  file: "cosmos/src/commit/stage-commit.ts",
  find: "if (lease.lockedUntilMs === 0 && ProviderError",
  replace: "if (lease.lockedUntilMs >= 0 && ProviderError",
};

export const cosmosMutants: readonly Mutant[] = named({
  "forgets the tags with each turn": {
    file: "cosmos/src/commit/after-turn.ts",
    find: "suspended: kept.suspended, tags: kept.tags }",
    replace: "suspended: kept.suspended }",
  },
  "takes the lock of an instance whatever its ETag is": {
    file: "cosmos/src/leases/take-lock.ts",
    find: "body, ifMatch: instance.etag }",
    replace: "body }",
  },
  "begins an instance that is there already": {
    file: "cosmos/src/commit/commit.ts",
    find: 'locked.etag === "" ? created(after)',
    replace: 'locked.etag === "" ? upserted(after)',
    also: [
      {
        file: "cosmos/src/commit/commit.ts",
        find: "...history.map(created)",
        replace: "...history.map(upserted)",
      },
      {
        file: "cosmos/src/leases/lease.ts",
        find: 'invariant(first?.kind === "create" ||',
        replace: "invariant(first !== undefined ||",
      },
    ],
  },
  "leaves the messages of a turn in the queue": {
    file: "cosmos/src/commit/commit.ts",
    find: "    ...[...taken].map(deleted),\n",
    replace: "",
  },
  "stores no intent for a message to another instance": {
    file: "cosmos/src/commit/commit.ts",
    find: "    ...intents.map(({ body }) => created(body)),\n",
    replace: "",
  },
  "drops a message that could not be delivered at once": {
    file: "cosmos/src/delivering/deliver.ts",
    find: "intents.slice(0, index), undelivered: [failed, ...behind] }",
    replace: "intents.slice(0, index + 1), undelivered: behind }",
  },
  "stores no receipt for the id of a message": {
    file: "cosmos/src/commit/send-message.ts",
    find: 'return [message, { kind: "create", body: receipt }];',
    replace: "return receipt === undefined ? [] : [message];",
  },
  "keeps the row of an activity that has ended": {
    file: "cosmos/src/operations/ack-work-item.ts",
    find: '[{ kind: "delete", id: row.id, ifMatch: row.etag }]',
    replace: '[{ kind: "patch", id: row.id, ifMatch: row.etag }].slice(1)',
  },
  "leaves the last piece of a staged commit out": {
    file: "cosmos/src/leases/finish-commit.ts",
    find: "index < commit.pieces; index++",
    replace: "index < Math.max(1, commit.pieces - 1); index++",
  },
  "does not finish a staged commit of a process that died": {
    file: "cosmos/src/leases/finish-commit.ts",
    find: "return document.lockToken?.startsWith(COMMIT_LOCK_PREFIX) === true;",
    replace: "return document.lockToken === COMMIT_LOCK_PREFIX;",
  },
  "keeps a session token that no replica reaches for ever": {
    file: "cosmos/src/connection/http-client.ts",
    find: "return count >= MOST_LAGGING;",
    replace: "return count < 0;",
  },
  "looks for no children that the list of a deletion lacks": {
    file: "cosmos/src/admin/deletion.ts",
    find: "if (begun.length === 0) return { listed, result };",
    replace: "if (begun.length >= 0) return { listed, result };",
  },
  "drops what a deleted instance has sent to others": {
    file: "cosmos/src/admin/settle-messages.ts",
    find: "new Set(await deliverAll(work, toOthers))",
    replace: "new Set(toOthers)",
  },
  "believes a replica that is behind what the process has seen": {
    file: "cosmos/src/connection/seen-positions.ts",
    find: "else isBehind = true;",
    replace: "else isBehind = false;",
  },
  "never takes over a lock whose time is over": {
    file: "cosmos/src/leases/hold-activity.ts",
    find: "isRankedAt(visibleAt) ? visibleAt : lockedUntilMs }",
    replace: "isRankedAt(visibleAt) ? visibleAt : 2 * lockedUntilMs }",
  },
  "never delivers what another process could not": {
    file: "cosmos/src/provider.ts",
    find: "    this.#reconciler.start();\n",
    replace: "",
  },
  "keeps asking a partition that is gone": {
    file: "cosmos/src/service/ranges.ts",
    find: "return status === GONE && substatus",
    replace: "return status === -GONE && substatus",
  },
  "reads the first page of a query only": {
    file: "cosmos/src/service/requests.ts",
    find: "      } while (continuation !== undefined);",
    replace: "      } while (continuation === null);",
  },
  "takes a passing refusal of a new document for one that is there": {
    file: "cosmos/src/service/refused-operation.ts",
    find: "return status === 409;",
    replace: "return status === 409 || status === 449;",
  },
  "stores no output": {
    file: "cosmos/src/commit/after-turn.ts",
    find: "{ status, output: output ?? null }",
    replace: "{ status, output: pinnedVersion === undefined ? null : (output ?? null) }",
  },
  "loses the key-value entries at the end of an execution": {
    file: "cosmos/src/commit/kv-changes.ts",
    find: "layers: { store: !isEmpty, delta: false }",
    replace: "layers: { store: isEmpty, delta: false }",
  },
  "goes on in memory although another process has run turns": {
    file: "cosmos/src/fetching/suits.ts",
    find: "tag !== undefined && notes.turns?.[0] === tag;",
    replace: "tag !== undefined;",
  },
  "gives the activities of a session to any process": {
    file: "cosmos/src/leases/claim-session.ts",
    find: "if (current !== undefined && current.ownerId !== claim.ownerId) {",
    replace: 'if (current !== undefined && current.ownerId === "") {',
  },
  "stores two starts that require a free id": {
    file: "cosmos/src/operations/start-instance.ts",
    find: "const operations = [...creations(plan), marking];",
    replace: "const operations = [...creations(plan), marking].slice(0, -1);",
  },
  "runs turns of a suspended instance": {
    file: "cosmos/src/fetching/lock-instance.ts",
    find: "if (instance?.notes.suspended !== undefined) {",
    replace: "if (instance?.notes.suspended === null) {",
  },
  "keeps an erased entry beyond its execution": {
    file: "cosmos/src/commit/kv-changes.ts",
    find: 'stored.storeKeys.has(key) ? [{ kind: "delete", id }] : []',
    replace: "[]",
  },
  "lists the first page of a partition only": {
    file: "cosmos/src/admin/queries/ordered-page.ts",
    find: "  } while (continuation !== undefined);",
    replace: "  } while (continuation === null);",
  },
  "lists nothing of a partition that is gone meanwhile": {
    file: "cosmos/src/service/requests.ts",
    find: "        return await Promise.all(ids.map(ask));",
    replace: "        return (await Promise.allSettled(ids.map(ask))).flatMap((each) => each.value ?? []);",
  },
  "leaves the entries of earlier executions when all are erased": {
    file: "cosmos/src/commit/kv-changes.ts",
    find: "for (const key of [...changes.keys(), ...storeKeys]) changes.set(key, removed);",
    replace: "for (const key of changes.keys()) changes.set(key, removed);",
  },
  "stages a turn anew after each renewal": {
    ...decidedOnce("this.#lease"),
    also: [
      LOST_AT_DECISION,
      {
        file: "cosmos/src/leases/stored-turn.ts",
        find: "if (lasts(turn, later(work.clock.now(), durationMs), options)) return;",
        replace: "void lasts;",
      },
    ],
  },
  "forgets what was staged when the decision is refused": {
    ...decidedOnce("this.lease"),
    also: [LOST_AT_DECISION],
  },
  "frees the locks of processes of its machine that live (cosmos)": {
    file: "cosmos/src/admin/free-dead.ts",
    find: "reported.filter(({ process }) => processes.hasEnded(process))",
    replace: "reported.filter(({ process }) => process.began !== processes.own()?.began)",
  },
  "frees the locks of all processes when one has ended (cosmos)": {
    file: "cosmos/src/admin/free-dead.ts",
    find: '"@secrets": secretsOf(holder).from,',
    replace: '"@secrets": secretsOf(holder).from.slice(0, 0),',
  },
  "adds to a stream whatever others have added (cosmos)": {
    file: "cosmos/src/streams/append-values.ts",
    find: '{ kind: "replace", id: String(body["id"]), body, ifMatch: before.etag },',
    replace: '{ kind: "upsert", body },',
  },
  "lets a permit survive its lock (cosmos)": {
    file: "cosmos/src/memory/permits.ts",
    find: "if (untilMs <= nowMs) this.#drop(row);",
    replace: "if (untilMs <= nowMs - 3_600_000) this.#drop(row);",
  },
  "counts a rate in each process (cosmos)": {
    file: "cosmos/src/limits/ask.ts",
    find: "...reserved(use, { rule, perMs }, Math.min(block, waiting), fromMs),",
    replace: `...reserved(
      { ...use, spentUntilMs: slots.at(-1)?.endMs ?? 0 },
      { rule, perMs },
      Math.min(block, waiting),
      fromMs,
    ),`,
  },
});
