/**
 * Processes that die at a batch that they write: before it is sent, or when it has been executed. Some deaths wait for a
 * large batch, for the beginning of a deletion or for a turn that starts several detached instances, and come after it
 * or at one of the next of its process, because what does not fit into one batch is decided by one and carried out by
 * those that follow it.
 */
import type { InProcessRequest } from "@duroxide-ts/cosmos-emulator";
import type { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { kindOf } from "./request-kind.ts";

export type FateAtRequest = "lives" | "dies before" | "dies after";

/** The batch of a usual turn has a few thousand characters. */
const LARGE_CHARACTERS = 30_000;

/** Deaths in one run, few because a turn whose process dies again and again is blocked for a minute and more. */
const LARGE_DEATHS = 3;
const DELETION_DEATHS = 2;
const DETACHING_DEATHS = 4;

type Decisive = (request: InProcessRequest) => boolean;

interface Death {
  /** Undefined until a process has met the condition. */
  machine: Machine | undefined;
  /** Undefined for a death that comes at any batch. */
  readonly waitsFor: Decisive | undefined;
  /** Number of batches that pass before. */
  left: number;
}

export class RequestDeaths {
  readonly #chance: Chance;
  #deaths: readonly Death[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** Some processes are to die at batches that decide, whenever these come. */
  begin(): void {
    for (let count = 0; count < LARGE_DEATHS; count++) this.#prepare(isLarge, 3);
    for (let count = 0; count < DELETION_DEATHS; count++) this.#prepare(beginsDeletion, 3);
    for (let count = 0; count < DETACHING_DEATHS; count++) this.#prepare(detaches, 2);
  }

  /** One process is to die soon. */
  prepare(): void {
    this.#prepare(undefined, 20);
  }

  #prepare(waitsFor: Decisive | undefined, among: number): void {
    const left = this.#chance.below(among);
    this.#deaths = [...this.#deaths, { machine: undefined, waitsFor, left }];
  }

  /** None is to die any more. */
  clear(): void {
    this.#deaths = [];
  }

  fateOf(machine: Machine, request: InProcessRequest): FateAtRequest {
    if (this.#deaths.length === 0 || kindOf(request) !== "batch") return "lives";
    const due = this.#deaths.filter((death) => isDue(death, machine, request));
    if (due.length === 0) return "lives";
    this.#deaths = this.#deaths.filter((death) => !due.includes(death));
    const isDecided = due.some(({ waitsFor }) => waitsFor?.(request) === true);
    return isDecided || this.#chance.happens(0.5) ? "dies after" : "dies before";
  }
}

/** Counts the batch. */
function isDue(death: Death, machine: Machine, request: InProcessRequest): boolean {
  if (death.machine?.isDead === true) death.machine = undefined;
  if (death.machine === undefined && death.waitsFor?.(request) !== false) death.machine = machine;
  return death.machine === machine && death.left-- <= 0;
}

function isLarge({ body }: InProcessRequest): boolean {
  return body.length >= LARGE_CHARACTERS;
}

function beginsDeletion({ body }: InProcessRequest): boolean {
  return body.includes('"type":"delete_intent"') && body.includes('"targets":');
}

/** A turn that starts several detached instances: most of their starts are not delivered when its process dies. */
function detaches({ body }: InProcessRequest): boolean {
  return body.includes('"type":"outbox_intent"') && /(parent_instance\\+":null.*){2}/.test(body);
}
