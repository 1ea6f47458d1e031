/** Stands between a provider and the network: counts requests, and lets one of them be the last, or lose its answer. */
import { createHttpHeaders, type PipelineRequest, type PipelineResponse } from "@azure/core-rest-pipeline";
import { abortError } from "../../../../test/support/stores/in-process.ts";
import { Requests as Traffic } from "../../../../test/support/stores/requests.ts";
import { operationsIn, type Refusal, refused, type SentOperation } from "./refused-batch.ts";
import { labelOf } from "./request-label.ts";

type Next = (request: PipelineRequest) => Promise<PipelineResponse>;

/** The process dies before a request is sent, or after it was carried out; or only the answer is lost. */
export type Fate = "before" | "after" | "lost";

export interface Snare {
  /** 1 is the next request. */
  readonly nth: number;
  readonly fate: Fate;
  /**
   * Only requests that do this count. So the same request is met where others are repeated or divided. A request that
   * the service refuses for a while never counts: it comes again.
   */
  readonly label?: string;
}

/** Gone, and throttled. */
const REFUSED_FOR_NOW: readonly number[] = [410, 429];

export class Trap {
  #snare: Snare | undefined;
  #labels: string[] | undefined;
  #batches: number[] = [];
  /** Requests that count for the snare. */
  #counted = 0;
  #isSprung = false;
  #remaining = Number.POSITIVE_INFINITY;
  #meanwhile: Meanwhile | undefined;
  #refusalOf: ((operations: readonly SentOperation[]) => Refusal | undefined) | undefined;
  readonly #traffic = new Traffic();

  /** Counts requests from now on; one of them may meet its fate. */
  set(snare: Snare | undefined): void {
    this.#snare = snare;
    this.#labels = [];
    this.#batches = [];
    this.#counted = 0;
  }

  /** Labels of the requests since the trap was set. */
  get labels(): readonly string[] {
    return this.#labels ?? [];
  }

  /** How many operations each batch had since the trap was set. */
  get batches(): readonly number[] {
    return this.#batches;
  }

  /** Whether a request has met the snare, and the process lives on. */
  get isSprung(): boolean {
    return this.#isSprung;
  }

  /** The next request that does this loses its answer, and something happens before it is tried again. */
  loseAnswerOf(label: RegExp, act: () => Promise<unknown>): void {
    this.#meanwhile = { label, act, isLost: true };
  }

  /** Something happens after the next request that does this was carried out, and before its answer is there. */
  meanwhile(label: RegExp, act: () => Promise<unknown>): void {
    this.#meanwhile = { label, act, isLost: false };
  }

  /** After so many more requests the service forbids everything, which no process tries again. */
  forbidAfter(requests: number): void {
    this.#remaining = requests;
  }

  /** Refuses batches from now on in which `find` names an operation; undefined ends it. */
  refuse(find: ((operations: readonly SentOperation[]) => Refusal | undefined) | undefined): void {
    this.#refusalOf = find;
  }

  /** Whether anything was forbidden. */
  get hasForbidden(): boolean {
    return this.#remaining < 0;
  }

  /** Requests on their way. */
  get underWay(): number {
    return this.#traffic.inFlight;
  }

  /** Resolves when nothing is on its way. */
  idle(): Promise<void> {
    return this.#traffic.idle();
  }

  async pass(request: PipelineRequest, next: Next): Promise<PipelineResponse> {
    if (--this.#remaining < 0) return forbidden(request);
    const label = labelOf(request);
    const fate = this.#fateOf(label);
    const operations = operationsIn(request);
    if (this.#labels !== undefined && operations.length > 0) this.#batches.push(operations.length);
    const refusal = operations.length > 0 ? this.#refusalOf?.(operations) : undefined;
    if (refusal !== undefined) return refused(request, refusal);
    if (fate === "before") die();
    const response = await this.#traffic.await(next(request));
    if (REFUSED_FOR_NOW.includes(response.status)) {
      this.#remaining++;
      if (this.#counts(label)) this.#counted--;
      return response;
    }
    if (fate === "after") die();
    if (fate === "lost") {
      this.#isSprung = true;
      throw cut();
    }
    await this.#happen(label);
    // As a connection does whose request is aborted when the service has carried it out.
    if (request.abortSignal?.aborted === true) throw abortError();
    return response;
  }

  #fateOf(label: string): Fate | undefined {
    this.#labels?.push(label);
    if (!this.#counts(label)) return undefined;
    this.#counted++;
    return this.#counted === this.#snare?.nth ? this.#snare.fate : undefined;
  }

  #counts(label: string): boolean {
    return this.#snare !== undefined && (this.#snare.label ?? label) === label;
  }

  /** Once, and not for the requests that it makes itself. */
  async #happen(label: string): Promise<void> {
    const meanwhile = this.#meanwhile;
    if (meanwhile?.label.test(label) !== true) return;
    this.#meanwhile = undefined;
    await meanwhile.act();
    if (meanwhile.isLost) throw cut();
  }
}

interface Meanwhile {
  readonly label: RegExp;
  readonly act: () => Promise<unknown>;
  readonly isLost: boolean;
}

function cut(): Error {
  return Object.assign(new Error("the connection was cut"), { code: "ECONNRESET" });
}

/** SIGKILL cannot be caught: nothing is sent, saved or finished after this. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}

function forbidden(request: PipelineRequest): PipelineResponse {
  const bodyAsText = JSON.stringify({ code: "Forbidden", message: "cut off by a test" });
  return { request, status: 403, headers: createHttpHeaders(), bodyAsText };
}
