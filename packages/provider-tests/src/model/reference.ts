/**
 * A store in memory that follows the store under test. Where the contract leaves a choice, the store under test chooses
 * first: its lock tokens and tags, the instance or activity of a fetch. The reference is told, and then must give the
 * same answer.
 */
import { isDeepStrictEqual } from "node:util";
import {
  encodeWorkItem,
  type FetchedOrchestration,
  type FetchedWork,
  type FetchOrchestrationOptions,
  type OrchestratorItem,
} from "@duroxide-ts/core/stores";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import type { Capabilities } from "../factory.ts";
import { type Answer, answerOf, isSameAnswer } from "./answers.ts";
import type { Call } from "./call.ts";

export type Tables = MemoryProvider["tables"];

type Row = Parameters<Tables["sees"]>[0];

/** Choices of the store under test, taken from its answer. */
interface Choice {
  readonly sees?: (row: Row) => boolean;
  /** A lock token or a tag. */
  readonly token?: string | undefined;
  /** Arguments of the call, where those of the script leave a choice. */
  readonly args?: readonly unknown[];
}

export class Reference {
  readonly tables: Tables;
  nowMs: number;
  readonly #capabilities: Capabilities;
  readonly #provider: MemoryProvider;
  #token: string | undefined;

  constructor(nowMs: number, capabilities: Capabilities) {
    this.nowMs = nowMs;
    this.#capabilities = capabilities;
    const clock = { now: () => this.nowMs, schedule: () => () => {} };
    const random = { next: () => 0, uuid: () => this.#token ?? "" };
    this.#provider = new MemoryProvider({ clock, random });
    this.tables = this.#provider.tables;
  }

  copy(): Reference {
    const copy = new Reference(this.nowMs, this.#capabilities);
    Object.assign(copy.tables, structuredClone(this.data()));
    return copy;
  }

  /** The tables without the parts that are code. */
  data(): object {
    const { clock: _clock, random: _random, warn: _warn, sees: _sees, ...data } = this.tables;
    return data;
  }

  /** The reference's own answer, if it differs from the one that the store under test gave. */
  async follow(call: Call, answer: Answer): Promise<Answer | undefined> {
    if (isOvertaken(call, answer)) return undefined;
    const choice = choiceOf(call, answer, this.#capabilities);
    const own = await this.#answer(call, choice);
    if (isSameAnswer(answer, own) || isEarlyRefusal(call, answer, own)) return undefined;
    // Without the choice that it cannot follow, the reference says what it would have answered.
    return own.kind === "returned" && own.value === undefined ? this.#answer(call, {}) : own;
  }

  async #answer({ method, args }: Call, choice: Choice): Promise<Answer> {
    this.#token = choice.token;
    this.tables.sees = choice.sees ?? (() => true);
    return answerOf(this.#provider, method, choice.args ?? args);
  }
}

function choiceOf({ method, args }: Call, answer: Answer, capabilities: Capabilities): Choice {
  if (answer.kind !== "returned" || answer.value === undefined) return {};
  const isOneStep = capabilities.storageCalls === "one";
  switch (method) {
    case "fetchOrchestrationItem": {
      const fetched = answer.value as FetchedOrchestration;
      const { heldHistory: _held, ...options } = args[0] as FetchOrchestrationOptions;
      return {
        sees: rowsOf(fetched, capabilities),
        token: fetched.lockToken,
        // A store need not leave the history out.
        ...(fetched.item.historyOmitted !== true && { args: [options] }),
      };
    }
    case "fetchWorkItem": {
      const { item, lockToken: token } = answer.value as FetchedWork;
      const text = encodeWorkItem(item);
      // A store of several partitions does not know which of two activities is older.
      return isOneStep ? { token } : { token, sees: (row) => row.workItem === text };
    }
    case "ackOrchestrationItem":
    case "ackFusedTurn": {
      const { historyTag: token } = answer.value as { readonly historyTag?: string };
      // Only a store whose operations are one step must see every message before it commits without a lock.
      return isOneStep ? { token } : { token, sees: () => false };
    }
    default:
      return {};
  }
}

/** The rows of the instance; where batches may be parts of them, only those that were fetched. */
function rowsOf({ item, blocked }: FetchedOrchestration, { batches }: Capabilities): (row: Row) => boolean {
  const { instanceId, messages } = item;
  const isPart = batches === "completions-first" && blocked === undefined && messages.every(isCompletion);
  const texts = new Set(messages.map(encodeWorkItem));
  return (row) => row.instanceId === instanceId && (!isPart || texts.has(row.workItem));
}

const COMPLETIONS: readonly OrchestratorItem["kind"][] = [
  "ActivityCompleted",
  "ActivityFailed",
  "ContinueAsNew",
  "SubOrchCompleted",
  "SubOrchFailed",
];

/** Whether its position among other messages does not matter. */
function isCompletion({ kind }: OrchestratorItem): boolean {
  return COMPLETIONS.includes(kind);
}

/** A store may always say that a fused turn was overtaken. */
function isOvertaken({ method }: Call, answer: Answer): boolean {
  return method === "ackFusedTurn" && isDeepStrictEqual(answer, OVERTAKEN);
}

const OVERTAKEN: Answer = { kind: "returned", value: { kind: "overtaken" } };

/** A fused turn that is overtaken and has stored events again may be refused for either. */
function isEarlyRefusal({ method }: Call, answer: Answer, own: Answer): boolean {
  const isDuplicate = answer.kind === "refused" && answer.code === "duplicate-event";
  return method === "ackFusedTurn" && isDuplicate && isDeepStrictEqual(own, OVERTAKEN);
}
