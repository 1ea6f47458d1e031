/**
 * Watches what processes store of commits in pieces before they decide them.
 *
 * - staging-watch.G1: A piece is stored once: what a repeated request finds there already stays.
 * - staging-watch.G2: Under one lock there is one staging, whatever renews that lock, and whatever answer is lost.
 * - staging-watch.G3: Stagings of an instance come to an end: so many begin, beside those of processes that have died,
 *   that one is decided.
 */
import type { InProcessRequest } from "@duroxide-ts/cosmos-emulator";
import { kindOf } from "./request-kind.ts";

/** More than the processes that die or lose their lock while they store pieces. */
const MOST_UNDECIDED = 8;

interface Operation {
  readonly operationType: string;
  readonly resourceBody?: Readonly<Record<string, unknown>>;
}

export class StagingWatch {
  readonly #violations = new Set<string>();
  readonly #pieces = new Set<string>();
  /** Stagings by lock. */
  readonly #stages = new Map<string, string>();
  /** Stagings since the last decision, by instance. */
  readonly #undecided = new Map<string, number>();

  get violations(): readonly string[] {
    return [...this.#violations];
  }

  answered(request: InProcessRequest, status: number): void {
    if (status !== 200 || !isOfStaging(request)) return;
    for (const { operationType, resourceBody } of JSON.parse(request.body) as readonly Operation[]) {
      if (resourceBody === undefined || operationType === "Delete") continue;
      if (resourceBody["type"] === "staged") this.#stored(String(resourceBody["id"]));
      else if (resourceBody["type"] === "staging") this.#begun(resourceBody);
      else if (resourceBody["type"] === "commit_intent") this.#undecided.delete(instanceOf(resourceBody));
    }
  }

  /** staging-watch.G1. */
  #stored(piece: string): void {
    if (this.#pieces.has(piece)) this.#violations.add(`a piece of a commit was stored twice: ${piece}`);
    this.#pieces.add(piece);
  }

  /** staging-watch.G2, staging-watch.G3. */
  #begun(note: Readonly<Record<string, unknown>>): void {
    const instanceId = instanceOf(note);
    const [secret, stage] = [String(note["secret"]), String(note["stage"])];
    if ((this.#stages.get(secret) ?? stage) !== stage) {
      this.#violations.add(`${instanceId}: a commit was staged twice under one lock`);
    }
    this.#stages.set(secret, stage);
    const begun = (this.#undecided.get(instanceId) ?? 0) + 1;
    this.#undecided.set(instanceId, begun);
    if (begun > MOST_UNDECIDED) this.#violations.add(`${instanceId}: a commit is staged again and again`);
  }
}

export function storesPiece(request: InProcessRequest): boolean {
  return kindOf(request) === "batch" && request.body.includes('"type":"staged"');
}

function isOfStaging(request: InProcessRequest): boolean {
  return kindOf(request) === "batch" && /"type":"(?:staged|staging|commit_intent)"/.test(request.body);
}

function instanceOf({ instanceId }: Readonly<Record<string, unknown>>): string {
  return String(instanceId);
}
