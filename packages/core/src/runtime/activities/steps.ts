/**
 * Finds the handler of a step, a function in the code of its orchestration (docs/decisions/activities.md): in the memory of
 * the execution, or by a replay of its history.
 *
 * - steps.ST1: A replay for a handler commits nothing and reads nothing that an ordinary turn would not read: the same
 *   history and the key-values with which the execution began.
 * - steps.ST2: Code that does not match its history runs no step. A message begins an ordinary turn, which blocks the
 *   instance, as it does for every mismatch.
 * - steps.ST3: A replay is shared by all steps of the execution that wait for it.
 */
import { BoundedMap } from "../../collections/bounded-map.ts";
import type { FetchedWork, KvEntry } from "../../contract/provider.ts";
import type { AnyActivity } from "../../define/definition-types.ts";
import { activity } from "../../define/definitions.ts";
import { runStep } from "../../guard/running-step.ts";
import type { LiveExecution } from "../../replay/code/live-execution.ts";
import { HistoryIndex } from "../../replay/history/history-index.ts";
import { runTurn } from "../../replay/turn.ts";
import { changesKeyValues, keyValuesBefore } from "../../verbs/key-values.ts";
import { wakeUp } from "../../verbs/next-execution.ts";
import type { HistoryEvent } from "../../wire/event.ts";
import type { ActivityExecute } from "../../wire/work-item.ts";
import type { RuntimeParts } from "../turns/parts.ts";

/** The handler of a step, or why there is none here. */
export type FoundStep =
  | { readonly kind: "found"; readonly definition: AnyActivity }
  /** The code of the orchestration is not registered here. */
  | { readonly kind: "missing" }
  /** The code does not make the call, with the first difference from history. */
  | { readonly kind: "different"; readonly detail: string }
  /** History does not wait for the step any more, or another turn has to run first. */
  | { readonly kind: "later" };

type Replayed =
  | Exclude<FoundStep, { readonly kind: "found" }>
  | { readonly kind: "live"; readonly live: LiveExecution };

/** Executions that were repeated for a handler, and are kept for their other steps. */
const MOST_REPLAYED = 32;

export class Steps {
  readonly #parts: RuntimeParts;
  readonly #replays = new BoundedMap<string, Promise<Replayed>>(MOST_REPLAYED);

  constructor(parts: RuntimeParts) {
    this.#parts = parts;
  }

  async find({ item, blocked }: FetchedWork): Promise<FoundStep> {
    const { instance, execution_id, id } = item;
    const inMemory = this.#parts.steps.find(instance, Number(execution_id));
    if (inMemory?.steps.stepOf(id) !== undefined) return found(item, inMemory);
    const known = await this.#replays.get(keyOf(item));
    const replayed =
      known?.kind === "live" && known.live.steps.stepOf(id) !== undefined ? known : await this.#replay(item);
    if (replayed.kind === "live") return found(item, replayed.live);
    // Once: each message would wait with the instance until it goes on.
    if (replayed.kind === "different" && blocked === undefined) await this.#wake(item);
    return replayed;
  }

  /** steps.ST3 */
  #replay(item: ActivityExecute): Promise<Replayed> {
    const key = keyOf(item);
    const replaying = this.#replayNow(item);
    this.#replays.set(key, replaying);
    replaying.then(
      ({ kind }) => kind !== "live" && this.#replays.delete(key),
      () => this.#replays.delete(key),
    );
    return replaying;
  }

  async #replayNow(item: ActivityExecute): Promise<Replayed> {
    const { settings, registry, guard } = this.#parts;
    const { instance: instanceId } = item;
    const executionId = Number(item.execution_id);
    const events = await settings.provider.readHistory(instanceId, executionId);
    const index = HistoryIndex.of(events);
    const { started } = index;
    if (started === undefined || index.terminal !== undefined) return { kind: "later" };
    const program = registry.resolve(started.name, started.version);
    if (program === undefined) return { kind: "missing" };
    const kvSnapshot = await this.#keyValues(instanceId, executionId, events);
    if (kvSnapshot === undefined) return this.#afterTurn(item);
    const { clock, codec, logger, sourceLines } = settings;
    const { end } = await runTurn({
      instanceId,
      executionId,
      program,
      surroundings: { clock, codec, logger, guard, sourceLines },
      from: { kind: "history", events, index },
      messages: [],
      kvSnapshot,
      blocks: true,
    });
    if (end.kind === "running") return { kind: "live", live: end.memory.live };
    const detail = end.kind === "blocked" ? end.detail : "the code has ended where its history has not";
    return { kind: "different", detail };
  }

  /** The key-values with which the execution began; undefined if they are known to the store only. */
  async #keyValues(
    instanceId: string,
    executionId: number,
    events: readonly HistoryEvent[],
  ): Promise<ReadonlyMap<string, KvEntry> | undefined> {
    const { provider } = this.#parts.settings;
    if (executionId === 1) return new Map();
    if (!changesKeyValues(events) && (await provider.getKvValues(instanceId)).size === 0) return new Map();
    return keyValuesBefore((before) => provider.readHistory(instanceId, before), executionId, events[0]);
  }

  /** Lets an ordinary turn, which gets the key-values from the store, bring the execution into memory. */
  async #afterTurn(item: ActivityExecute): Promise<Replayed> {
    this.#parts.steps.await(item.instance);
    await this.#wake(item);
    return { kind: "later" };
  }

  async #wake({ instance, execution_id }: ActivityExecute): Promise<void> {
    const { provider, clock } = this.#parts.settings;
    await provider.enqueueForOrchestrator(wakeUp(instance, Number(execution_id), clock.now()));
  }
}

function keyOf({ instance, execution_id }: ActivityExecute): string {
  return `${instance} ${execution_id}`;
}

function found({ id, name }: ActivityExecute, { steps, identity: { program } }: LiveExecution): FoundStep {
  const own = steps.stepOf(id);
  if (own === undefined) return { kind: "later" };
  const handler = program.handlerOfStep?.(name, own) ?? own;
  return { kind: "found", definition: activity(name, (context) => runStep(name, () => handler(context))) };
}
