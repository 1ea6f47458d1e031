/**
 * The two procedures in the container. The id of each contains the version of its text, so versions of this library do
 * not conflict; older procedures are not deleted. A procedure that another program changed is restored.
 *
 * - installed.IP1: A check is believed for five minutes, so that it costs nothing in most calls. A check that failed is
 *   not believed.
 * - installed.IP2: After the right to read them was refused, they are checked by an execution: no Microsoft Entra role
 *   for data includes that right.
 */
import { createHash } from "node:crypto";
import type { Container } from "@azure/cosmos";
import { ProviderError } from "@duroxide-ts/core";
import type { Deadline } from "../../service/call.ts";
import type { Failure } from "../../service/failure.ts";
import { forbidsKeys } from "../../service/key-refusal.ts";
import { type Pace, persist } from "../../service/persist.ts";
import type { LeaseRequests } from "../lease-requests.ts";
import { type Settled, unlessRefused } from "../settled.ts";
import { checkByExecution } from "./check-by-execution.ts";
import { LEASE_PROCEDURE } from "./lease-procedure.ts";
import { NEXT_FOR_STATE_PROCEDURE } from "./next-for-state-procedure.ts";

export interface Procedure {
  readonly id: string;
  readonly body: string;
}

export const LEASE: Procedure = procedureOf("lease", LEASE_PROCEDURE);
export const NEXT_FOR_STATE: Procedure = procedureOf("nextForState", NEXT_FOR_STATE_PROCEDURE);

function procedureOf(name: string, body: string): Procedure {
  const version = createHash("sha256").update(body).digest("hex").slice(0, 12);
  return { id: `duroxide-${name}-${version}`, body };
}

/** Procedures are not available: no right to create them, an endpoint without procedures, or they fail. */
export class NoProcedures extends ProviderError {
  /** Whether later calls need not try them. */
  readonly isLasting: boolean;

  constructor(isLasting: boolean, operation: string, message: string, cause?: unknown) {
    super({ code: "cannot-open", operation, message, cause });
    this.isLasting = isLasting;
  }
}

/** The statuses that count as a refusal of procedures. */
const REFUSALS: readonly number[] = [400, 401, 403, 404, 405, 409, 412, 413];

/** Another process may install them at the same time; the check is then repeated. */
const MOST_TRIES = 5;

/** How long a check is valid. A later change of a procedure is detected after this time at the latest. */
const BELIEVED_MS = 300_000;

export class InstalledProcedures {
  readonly #container: Container;
  readonly #pace: Pace;
  readonly #onWarning: (message: string) => void;
  readonly #executing: Executing;
  /** False after a refusal (installed.IP2). */
  #mayRead = true;
  #installed: { readonly atMs: number; readonly done: Promise<void> } | undefined;

  constructor(container: Container, pace: Pace, onWarning: (message: string) => void, executing: Executing) {
    this.#container = container;
    this.#executing = executing;
    this.#pace = pace;
    this.#onWarning = onWarning;
  }

  /** Resolves when both procedures are correct. Throws NoProcedures. */
  ready(call: Deadline): Promise<void> {
    const nowMs = this.#pace.clock.now();
    const isBelieved = this.#installed !== undefined && nowMs - this.#installed.atMs < BELIEVED_MS;
    if (!isBelieved) this.#installed = { atMs: nowMs, done: this.#install(call) };
    return this.#installed?.done ?? Promise.resolve();
  }

  /** Repeats the check before the next use. */
  doubt(): void {
    this.#installed = undefined;
  }

  async #install(call: Deadline): Promise<void> {
    try {
      for (const procedure of [LEASE, NEXT_FOR_STATE]) {
        if (this.#mayRead) await this.#ensure(call, procedure);
        if (!this.#mayRead) await this.#check(call, procedure);
      }
    } catch (error) {
      this.doubt();
      throw error;
    }
  }

  async #ensure(call: Deadline, procedure: Procedure): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const found = await this.#send(call, () => this.#read(procedure));
      if (found.ok && found.value.body === procedure.body) return;
      if (!found.ok && found.failure.status === 403) {
        this.#mayRead = false;
        return;
      }
      if (!found.ok && found.failure.status !== 404) throw noProcedures(call, "read", found.failure);
      if (found.ok) await this.#replace(call, procedure, found.value.etag);
      else await this.#create(call, procedure);
    }
    const message = `another program keeps changing the stored procedure ${procedure.id}; stop it, or set procedures to "never"`;
    throw new NoProcedures(true, call.operation, message);
  }

  async #check(call: Deadline, { id }: Procedure): Promise<void> {
    const { requests, partitionKeyPaths } = this.#executing;
    const found = await checkByExecution(requests, call, id, partitionKeyPaths);
    if (found.kind === "ours") return;
    if (found.kind === "missing") throw notInstalled(call, id);
    if (found.kind === "refused") throw noProcedures(call, "execute", found.failure);
    this.#onWarning(`the stored procedure ${id} was changed, and may not be put right from here`);
    throw changed(call, id);
  }

  async #read({ id }: Procedure): Promise<{ readonly body: string; readonly etag: string }> {
    const { resource } = await this.#container.scripts.storedProcedure(id).read();
    if (resource === undefined) throw Object.assign(new Error("no procedure"), { code: 404 });
    return { body: String(resource.body), etag: resource._etag };
  }

  /** If another process was faster, the check is repeated. */
  async #create(call: Deadline, procedure: Procedure): Promise<void> {
    const { scripts } = this.#container;
    const created = await this.#send(call, () => scripts.storedProcedures.create({ ...procedure }));
    if (!created.ok && created.failure.status !== 409) throw noProcedures(call, "create", created.failure);
  }

  async #replace(call: Deadline, procedure: Procedure, etag: string): Promise<void> {
    const stored = this.#container.scripts.storedProcedure(procedure.id);
    const accessCondition = { type: "IfMatch", condition: etag };
    const replaced = await this.#send(call, () => stored.replace({ ...procedure }, { accessCondition }));
    if (replaced.ok) {
      this.#onWarning(`the stored procedure ${procedure.id} had been changed, and is now as it was`);
    } else if (replaced.failure.status !== 412 && replaced.failure.status !== 404) {
      this.#onWarning(`the stored procedure ${procedure.id} was changed, and may not be put right from here`);
      throw noProcedures(call, "replace", replaced.failure);
    }
  }

  async #send<T>(call: Deadline, send: () => Promise<T>): Promise<Settled<T>> {
    const { value } = await persist(this.#pace, call, () => unlessRefused(REFUSALS, send()));
    return value;
  }
}

const EXECUTE_ACTION = "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/executeStoredProcedure";

type Verb = "read" | "create" | "replace" | "execute";

export function noProcedures({ operation }: Deadline, verb: Verb, failure: Failure): NoProcedures {
  const { status, message, cause } = failure;
  const text = `this identity may not ${verb} stored procedures (${status}: ${firstLine(message)}). ${adviceFor(verb, message)}, or leave procedures at "auto"`;
  return new NoProcedures(true, operation, text, cause);
}

function adviceFor(verb: Verb, message: string): string {
  if (verb === "execute") return `Give its role the action ${EXECUTE_ACTION}`;
  if (forbidsKeys(message)) {
    return `The account lets no key change them (disableKeyBasedMetadataWriteAccess): allow it while one that has a key calls prepare(), or create ${LEASE.id} and ${NEXT_FOR_STATE.id} with az cosmosdb sql stored-procedure create`;
  }
  return "Let one that has a key call prepare() once for this version";
}

/** No role for data includes reading or creating procedures. */
function notInstalled({ operation }: Deadline, id: string): NoProcedures {
  const text = `the stored procedure ${id} is not installed, and this identity may neither read nor create it, as no Microsoft Entra role for data may. Let one that has a key call prepare() once for this version, or leave procedures at "auto"`;
  return new NoProcedures(true, operation, text);
}

function changed({ operation }: Deadline, id: string): NoProcedures {
  const text = `the stored procedure ${id} was changed. Let one that has a key call prepare(), which puts it right, or leave procedures at "auto"`;
  return new NoProcedures(true, operation, text);
}

/** How an identity that may not read procedures executes them. */
export interface Executing {
  readonly requests: LeaseRequests;
  readonly partitionKeyPaths: readonly unknown[];
}

/** The error for a correct procedure that fails. */
export function failedProcedure({ operation }: Deadline, id: string, reason: string): NoProcedures {
  const text = `the stored procedure ${id} fails: ${firstLine(reason)}. Set procedures to "never", and report it`;
  return new NoProcedures(false, operation, text);
}

/** Returns the first line without the activity ids and stack traces of the service's messages. */
export function firstLine(text: string): string {
  return (/^.*$/m.exec(text.trim())?.[0] ?? "").slice(0, 300);
}
