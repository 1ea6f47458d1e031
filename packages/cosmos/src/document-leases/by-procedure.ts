/** Leases by the two stored procedures: one request where a batch needs a query first. */
import type { PartitionKey } from "@azure/cosmos";
import { messageOf } from "@duroxide-ts/core/stores";
import type { Deadline } from "../service/call.ts";
import type { ContainerFacts } from "./container-facts.ts";
import { documentById, leasedBy, nextInState } from "./lease-queries.ts";
import type { LeaseRequests } from "./lease-requests.ts";
import type { LeaseChange, Leasing, NextSearch, Taken } from "./leasing.ts";
import {
  isRetryable,
  type LeaseAnswer,
  type NextAnswer,
  readLeaseAnswer,
  readNextAnswer,
} from "./procedures/answers.ts";
import {
  failedProcedure,
  type InstalledProcedures,
  LEASE,
  NEXT_FOR_STATE,
  noProcedures,
} from "./procedures/installed.ts";
import type { LeaseRequest } from "./procedures/lease-procedure.ts";
import type { NextRequest } from "./procedures/next-for-state-procedure.ts";
import type { LeaseSettings } from "./settings.ts";
import { stepAside } from "./step-aside.ts";
import { type Group, type GroupOutcome, takeAcross } from "./take-across.ts";

const FORBIDDEN: readonly (number | undefined)[] = [401, 403, 405];

export class ByProcedure implements Leasing {
  readonly #requests: LeaseRequests;
  readonly #settings: LeaseSettings;
  readonly #facts: ContainerFacts;
  readonly #installed: InstalledProcedures;

  constructor(
    requests: LeaseRequests,
    settings: LeaseSettings,
    facts: ContainerFacts,
    installed: InstalledProcedures,
  ) {
    this.#requests = requests;
    this.#settings = settings;
    this.#facts = facts;
    this.#installed = installed;
  }

  prepare(call: Deadline): Promise<void> {
    return this.#installed.ready(call);
  }

  async change(
    call: Deadline,
    { action, id, partitionKey, holder, attempt }: LeaseChange,
  ): Promise<LeaseAnswer> {
    const { leaseProperty: property, leaseMs: durationMs } = this.#settings;
    const query = documentById(id);
    const request: LeaseRequest = { action, query, property, holder, durationMs, attempt };
    const answer = await this.#execute(call, LEASE.id, partitionKey, () => request, readLeaseAnswer);
    if (answer.outcome !== "failed") return answer;
    if (!isRetryable(answer.reason)) throw failedProcedure(call, LEASE.id, answer.reason.message);
    return { outcome: "busy" };
  }

  async next(call: Deadline, search: NextSearch): Promise<readonly Taken[]> {
    const { partitionKey, limit } = search;
    if (partitionKey !== undefined) return this.#takeIn(call, search, partitionKey, limit);
    const take = async ({ partitionKey: found, rows }: Group): Promise<GroupOutcome> => {
      const taken = await this.#takeIn(call, search, found, rows.length);
      return { taken, missed: taken.length < rows.length };
    };
    return takeAcross(this.#requests, this.#settings, this.#facts, call, search, take);
  }

  /** The procedure returns where it stopped, and is called again from there. */
  async #takeIn(
    call: Deadline,
    search: NextSearch,
    partitionKey: PartitionKey,
    limit: number,
  ): Promise<readonly Taken[]> {
    const { clock, onWarning } = this.#settings;
    const taken: Taken[] = [];
    let continuation: string | undefined;
    while (taken.length < limit) {
      const sinceMs = clock.now();
      try {
        const left = limit - taken.length;
        const answer = await this.#nextAnswer(call, search, partitionKey, left, continuation);
        taken.push(...answer.leased.map((document) => ({ document, partitionKey, sinceMs })));
        if (!answer.more || clock.now() >= call.untilMs) break;
        const { leased, reason } = answer;
        if (reason !== undefined && !isRetryable(reason)) {
          throw failedProcedure(call, NEXT_FOR_STATE.id, reason.message);
        }
        const isStuck = leased.length === 0 && answer.continuation === continuation;
        if (isStuck) await stepAside(this.#settings);
        continuation = answer.continuation;
      } catch (error) {
        if (taken.length === 0) throw error;
        onWarning(`fewer documents were leased than there may be: ${messageOf(error)}`);
        break;
      }
    }
    return taken;
  }

  #nextAnswer(
    call: Deadline,
    { state, holder }: NextSearch,
    partitionKey: PartitionKey,
    limit: number,
    continuation: string | undefined,
  ): Promise<NextAnswer> {
    const { leaseProperty: property, leaseMs: durationMs, random } = this.#settings;
    const attempt = random.uuid();
    const query = nextInState(this.#settings, state);
    const from = continuation === undefined ? {} : { continuation };
    const request: NextRequest = { query, ...from, property, limit, holder, durationMs, attempt };
    const recovering: NextRequest = { ...request, recover: leasedBy(this.#settings, attempt) };
    const argument = (repeated: boolean): NextRequest => (repeated ? recovering : request);
    return this.#execute(call, NEXT_FOR_STATE.id, partitionKey, argument, readNextAnswer);
  }

  /** If a procedure is missing, fails or returns an unknown answer, it is checked, restored and called once more. */
  async #execute<Answer>(
    call: Deadline,
    procedureId: string,
    partitionKey: PartitionKey,
    argument: (repeated: boolean) => object,
    read: (value: unknown) => Answer | undefined,
  ): Promise<Answer> {
    for (let isSecond = false; ; isSecond = true) {
      await this.#installed.ready(call);
      const result = await this.#requests.execute(call, partitionKey, procedureId, argument);
      const answer = result.ok ? read(result.value) : undefined;
      if (answer !== undefined) return answer;
      if (!result.ok && FORBIDDEN.includes(result.failure.status)) {
        throw noProcedures(call, "execute", result.failure);
      }
      const reason = result.ok ? "it answers nonsense" : result.failure.message;
      if (isSecond) throw failedProcedure(call, procedureId, reason);
      this.#installed.doubt();
    }
  }
}
