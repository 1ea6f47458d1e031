/** The calls as source text that makes them again (scope.ts), with their results in comments. */
import type {
  AckedOrchestration,
  FetchedOrchestration,
  FetchedWork,
  FusedAck,
  FusedOutcome,
} from "@duroxide-ts/core/stores";
import type { Answer } from "./answers.ts";
import { type Call, isAdministrative } from "./call.ts";
import { callText, literal } from "./literal.ts";
import type { Situation } from "./situation.ts";

/** A call and its outcome. */
export interface Answered {
  readonly call: Call;
  readonly answer: Answer;
}

interface Line {
  /** The variables that later lines may use; empty for an answer that none uses. */
  readonly variables: readonly string[];
  readonly text: string;
  /** Whether the store may be different after it. */
  readonly isChange: boolean;
  /** The result as a comment; computed only if it is printed. */
  readonly comment: () => string;
}

export class Transcript {
  readonly #situation: Situation;
  #lines: readonly Line[] = [];
  #variables = 0;

  constructor(situation: Situation) {
    this.#situation = situation;
  }

  addPass(ms: number): void {
    this.#append({ variables: [], text: `await pass(${ms});`, isChange: true, comment: () => "" });
  }

  add(answered: readonly Answered[]): void {
    const { names } = this.#situation;
    const calls = answered.map(({ call: { caller, method, args }, answer }) => {
      const text = callText(`${caller}.${isAdministrative(method) ? "admin." : ""}${method}`, args, names);
      return answer.kind === "returned" ? text : `refused(${text})`;
    });
    const [only = ""] = calls;
    const text = calls.length === 1 ? `await ${only};` : `await Promise.all([${calls.join(", ")}]);`;
    this.#append({
      variables: answered.map((each) => this.#remember(each)),
      text,
      isChange: answered.some(isChange),
      comment: () => answered.map(describe).filter(isSaid).join("; "),
    });
  }

  /** The changes, and the line that shows the fault. */
  lines(): readonly string[] {
    const lines = this.#lines.filter(({ isChange }, index) => isChange || index === this.#lines.length - 1);
    return lines.map((line, index) => write(line, lines.slice(index + 1)));
  }

  #append(line: Line): void {
    this.#lines = [...this.#lines, line];
  }

  /** Names what later calls may refer to. */
  #remember({ call: { method, args }, answer }: Answered): string {
    if (answer.kind !== "returned" || answer.value === undefined) return "";
    const { orchestrations, activities } = this.#situation;
    if (method === "fetchOrchestrationItem") {
      return this.#nameFetch(orchestrations, answer.value as FetchedOrchestration);
    }
    if (method === "fetchWorkItem") return this.#nameFetch(activities, answer.value as FetchedWork);
    if (method === "ackOrchestrationItem") return this.#nameTag(args, answer.value as AckedOrchestration);
    return method === "ackFusedTurn" ? this.#nameFusedTag(args, answer.value as FusedOutcome) : "";
  }

  #nameFetch<T extends { readonly lockToken: string }>(fetches: T[], fetched: T): string {
    const name = this.#nextVariable();
    fetches.unshift(fetched);
    this.#situation.written(fetched, name);
    this.#situation.written(fetched.lockToken, `${name}.lockToken`);
    return name;
  }

  #nameTag([ack]: readonly unknown[], { historyTag: tag }: AckedOrchestration): string {
    const { orchestrations } = this.#situation;
    const { lockToken } = ack as { readonly lockToken: string };
    const fetched = orchestrations.find((each) => each.lockToken === lockToken);
    if (fetched === undefined || tag === undefined) return "";
    return this.#addTag(fetched.item.instanceId, tag);
  }

  #nameFusedTag([ack]: readonly unknown[], outcome: FusedOutcome): string {
    if (outcome.kind === "overtaken" || outcome.historyTag === undefined) return "";
    return this.#addTag((ack as FusedAck).instanceId, outcome.historyTag);
  }

  #addTag(instanceId: string, tag: string): string {
    const name = this.#nextVariable();
    const { tags } = this.#situation;
    tags.set(instanceId, [{ tag, text: `${name}.historyTag` }, ...(tags.get(instanceId) ?? [])]);
    return name;
  }

  /** a, b, …, z, a1, b1, … */
  #nextVariable(): string {
    const index = this.#variables++;
    const letter = String.fromCharCode("a".charCodeAt(0) + (index % 26));
    return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
  }
}

/** Neither a read, nor a fetch or a renewal that found nothing. */
function isChange({ call: { method }, answer }: Answered): boolean {
  if (/^(get|list|query|read)/.test(method)) return false;
  return (
    answer.kind !== "returned" || (answer.value !== 0 && !(isFetch(method) && answer.value === undefined))
  );
}

function isFetch(method: string): boolean {
  return method.startsWith("fetch");
}

/** Variables are declared where later lines use them. */
function write({ variables, text, comment }: Line, later: readonly Line[]): string {
  const used = variables.map((name) => (name !== "" && later.some((line) => uses(line, name)) ? name : ""));
  const [only = ""] = used;
  const target = used.length === 1 ? only : `[${used.join(", ")}]`;
  const declaration = used.some((name) => name !== "") ? `const ${target} = ` : "";
  return [`${declaration}${text}`, comment()].filter(isSaid).join(" // ");
}

function uses({ text }: Line, name: string): boolean {
  return new RegExp(`\\b${name}\\.(lockToken|historyTag)|turnOf\\(${name},|\\.\\.\\.${name},`).test(text);
}

function isSaid(text: string): boolean {
  return text !== "";
}

/** Empty where there is nothing to say. */
function describe({ call: { method }, answer }: Answered): string {
  if (answer.kind === "refused") return answer.code;
  if (answer.kind === "broken") return answer.message;
  const { value } = answer;
  if (method === "ackOrchestrationItem") return "";
  if (value === undefined) return /^(fetch|get)/.test(method) ? "nothing" : "";
  if (method === "fetchOrchestrationItem") return describeTurn(value as FetchedOrchestration);
  if (method === "fetchWorkItem") return describeActivity(value as FetchedWork);
  return literal(value);
}

function describeTurn({ item, attemptCount }: FetchedOrchestration): string {
  const kinds = item.messages.map(({ kind }) => kind).join(", ");
  return `got ${literal(item.instanceId)}, attempt ${attemptCount}, with ${kinds}`;
}

function describeActivity({ item, attemptCount }: FetchedWork): string {
  return `got activity ${item.id} of ${literal(item.instance)}, attempt ${attemptCount}`;
}
