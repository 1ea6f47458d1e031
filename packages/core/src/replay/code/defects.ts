/**
 * Mistakes that escape the code of one execution, and whether they block it (docs/decisions/attempts-and-blocked-work.md).
 *
 * - defects.D1: A mistake blocks at the end of the turn in which it escapes, so nothing of that turn is stored, no undo of a
 *   saga begins, and the clean-up of a cancelled instance goes no further.
 * - defects.D2: What history has decided stays: if an undo of the failure is in history, the failure was final.
 */
import { isDefect } from "../../errors/defect.ts";
import type { Scope } from "../calls/scope.ts";
import { DefectFailure } from "../replay-failure.ts";
import type { Program } from "./program.ts";

export class Defects {
  readonly #program: Program;
  #pending: { readonly thrown: unknown } | undefined;
  #isFinal = false;
  #undoScope: Scope | undefined;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Whether the error is a mistake that blocks. */
  readonly blocking = (thrown: unknown): boolean => this.#program.onDefect !== "fail" && isDefect(thrown);

  /** The code has thrown. */
  note(thrown: unknown): void {
    if (this.blocking(thrown)) this.#block(thrown);
  }

  /** A schema has thrown, which is a mistake whatever it threw. False if the orchestration wants to fail then. */
  noteOfSchema(thrown: unknown): boolean {
    if (this.#program.onDefect === "fail") return false;
    this.#block(thrown);
    return true;
  }

  #block(thrown: unknown): void {
    if (!this.#isFinal) this.#pending ??= { thrown };
  }

  /** The failure is undone by code of this scope, if it is final. */
  undoneIn(scope: Scope): void {
    this.#undoScope = scope;
  }

  /** History has a call that code of this scope makes (defects.D2). */
  matched(scope: Scope | undefined): void {
    if (this.#undoScope === undefined || scope?.within(this.#undoScope) !== true) return;
    this.#pending = undefined;
    this.#isFinal = true;
  }

  /** Other code takes the place of the one that has thrown. */
  forget(): void {
    this.#pending = undefined;
    this.#isFinal = false;
    this.#undoScope = undefined;
  }

  /** Throws DefectFailure for a mistake that blocks. */
  check(): void {
    if (this.#pending !== undefined) throw new DefectFailure(this.#pending.thrown);
  }
}
