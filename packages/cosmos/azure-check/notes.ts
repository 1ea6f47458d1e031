/**
 * Notes of a step: the findings of its checks.
 *
 * 1. A gate that no check decided is red: a check that did not happen proves nothing.
 * 2. A gate that does not hold ends its step at once.
 * 3. An expectation that is not met is reported and the run continues: what is not documented cannot stop a run.
 */

export type Verdict = "green" | "differs" | "red" | "skipped";

export interface Finding {
  /** The name of a gate, or what was expected, as a sentence. */
  readonly what: string;
  readonly kind: "gate" | "expectation";
  readonly verdict: Verdict;
  /** Why, where it is not green. */
  readonly seen?: string;
}

/** Thrown by a gate that does not hold. */
export class GateFailed extends Error {
  override readonly name = "GateFailed";
}

export class Notes<Gate extends string = string> {
  readonly #gates: Readonly<Record<string, string>>;
  readonly #findings: Finding[] = [];
  readonly #facts: Record<string, unknown> = {};
  #skipped: string | undefined;

  constructor(gates: Readonly<Record<Gate, string>>) {
    this.#gates = gates;
  }

  /** Red where `check` throws; the step ends then. */
  async gate(name: Gate, check: () => unknown): Promise<void> {
    const seen = await thrownBy(check);
    this.#findings.push({ what: name, kind: "gate", ...outcome(seen, "red") });
    if (seen !== undefined) throw new GateFailed(`${name}: ${seen}`);
  }

  /** A gate that says nothing about this account. */
  skip(name: Gate, why: string): void {
    this.#findings.push({ what: name, kind: "gate", verdict: "skipped", seen: why });
  }

  /** `differs` where `check` throws. Whether it did not. */
  async expect(what: string, check: () => unknown): Promise<boolean> {
    const seen = await thrownBy(check);
    this.#findings.push({ what, kind: "expectation", ...outcome(seen, "differs") });
    return seen === undefined;
  }

  /** Something that has no right or wrong. */
  record(name: string, value: unknown): void {
    this.#facts[name] = value;
  }

  /** The whole step says nothing about this account; its gates count as skipped. */
  skipAll(why: string): void {
    this.#skipped = why;
  }

  /** The step broke off. Its gates that were not decided are red; without gates it differs. */
  brokeOff(reason: string): void {
    if (Object.keys(this.#gates).length > 0) this.#decideTheRest("red", `the step broke off: ${reason}`);
    else
      this.#findings.push({ what: "the step ends", kind: "expectation", verdict: "differs", seen: reason });
  }

  /** Decides the gates that no check decided. */
  end(): void {
    if (this.#skipped !== undefined) this.#decideTheRest("skipped", this.#skipped);
    else if (this.verdict !== "red") this.#decideTheRest("red", "the step did not check it");
  }

  get findings(): readonly Finding[] {
    return this.#findings;
  }

  get facts(): Readonly<Record<string, unknown>> {
    return this.#facts;
  }

  /** The worst of the findings. */
  get verdict(): Verdict {
    const verdicts = new Set(this.#findings.map(({ verdict }) => verdict));
    if (verdicts.has("red")) return "red";
    if (verdicts.has("differs")) return "differs";
    if (this.#skipped !== undefined) return "skipped";
    return "green";
  }

  #decideTheRest(verdict: Verdict, seen: string): void {
    const decided = new Set(this.#findings.map(({ what }) => what));
    for (const what of Object.keys(this.#gates)) {
      if (!decided.has(what)) this.#findings.push({ what, kind: "gate", verdict, seen });
    }
  }
}

async function thrownBy(check: () => unknown): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function outcome(seen: string | undefined, otherwise: Verdict): Pick<Finding, "verdict" | "seen"> {
  return seen === undefined ? { verdict: "green" } : { verdict: otherwise, seen };
}
