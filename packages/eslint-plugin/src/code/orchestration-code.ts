/**
 * The orchestration code of a file: every node in it, with its zone. It is found from the text alone: handlers of
 * `orchestration`, functions whose parameter is an `OrchestrationContext`, and functions of the file that these call.
 */
import { functionAround, type SourceCode, type Variable } from "../syntax/eslint.ts";
import { Names } from "../syntax/names.ts";
import {
  type Call,
  type FunctionNode,
  isFunction,
  memberName,
  type Node,
  unwrapped,
} from "../syntax/node.ts";
import { descendants } from "../syntax/tree.ts";
import { callbacksOf } from "./callbacks.ts";
import { functionOf, hasType, startAt } from "./starts.ts";
import type { ContextCall, Zone } from "./zone.ts";

/** A node of orchestration code. */
interface Placed {
  readonly node: Node;
  readonly zone: Zone;
}

export class OrchestrationCode {
  static readonly #known = new WeakMap<Node, OrchestrationCode>();

  readonly names: Names;
  /** The nodes of the file, in the order of the text; none of a file that has nothing of the packages. */
  readonly all: readonly Node[];
  /** The nodes of all zones, in the order of the text. */
  readonly nodes: readonly Placed[];
  readonly #zones = new Map<FunctionNode, Zone>();
  readonly #contexts = new Set<Variable>();
  readonly #sagas = new Set<Variable>();

  /** Reads the file once for all rules. */
  static of(sourceCode: SourceCode): OrchestrationCode {
    const known = OrchestrationCode.#known.get(sourceCode.ast) ?? new OrchestrationCode(sourceCode);
    OrchestrationCode.#known.set(sourceCode.ast, known);
    return known;
  }

  private constructor(sourceCode: SourceCode) {
    this.names = new Names(sourceCode);
    this.all = sourceCode.text.includes("@duroxide-ts/") ? descendants(sourceCode.ast, sourceCode) : [];
    // What an activity does is followed nowhere, also where orchestration code above it calls its handler.
    for (const node of this.all) if (this.#isActivity(node)) this.#setAside(node, undefined);
    // A function may be called before the text tells that its caller is orchestration code.
    for (let before = -1; before !== this.#size(); ) {
      before = this.#size();
      for (const node of this.all) this.#note(node);
    }
    this.nodes = this.all.flatMap((node) => {
      const zone = this.#zoneOf(node);
      return zone === undefined ? [] : [{ node, zone }];
    });
  }

  /** The call of a context or a saga that a call is. */
  contextCall({ callee }: Call): ContextCall | undefined {
    const member = unwrapped(callee);
    if (member.type !== "MemberExpression") return undefined;
    const object = unwrapped(member.object);
    const method = memberName(member);
    const variable = object.type === "Identifier" ? this.names.variable(object) : undefined;
    if (variable === undefined || method === undefined) return undefined;
    if (this.#contexts.has(variable)) return { object: "context", method, variable };
    return this.#sagas.has(variable) ? { object: "saga", method, variable } : undefined;
  }

  isContext(variable: Variable): boolean {
    return this.#contexts.has(variable);
  }

  /** Position of the context among the arguments of a call; -1 if none is a context. */
  contextAt(call: Call): number {
    return call.arguments.findIndex((each) => {
      const variable = this.names.variable(each);
      return variable !== undefined && this.#contexts.has(variable);
    });
  }

  /** A number that grows with all that is found: a zone of code may still be found to be a step. */
  #size(): number {
    const steps = [...this.#zones.values()].filter(({ kind }) => kind === "step").length;
    return this.#zones.size + this.#contexts.size + this.#sagas.size + steps;
  }

  #zoneOf(node: Node): Zone | undefined {
    const around = isFunction(node) ? node : functionAround(node);
    return around && (this.#zones.get(around) ?? (around.parent ? this.#zoneOf(around.parent) : undefined));
  }

  #note(node: Node): void {
    const start = startAt(node, this.names);
    if (start !== undefined) this.#begin(start.function, start.contextAt);
    if (node.type === "Identifier" && hasType(node, "Saga", this.names)) this.#noteSaga(node);
    if (node.type === "VariableDeclarator" && node.init?.type === "CallExpression") {
      if (this.contextCall(node.init)?.method === "saga") this.#noteSaga(node.id);
    }
    if (node.type !== "CallExpression") return;
    const zone = this.#zoneOf(node);
    const made = this.contextCall(node);
    if (made !== undefined && zone !== undefined) this.#noteCallbacks(node, made, zone);
    else if (this.#isActivity(node)) this.#setAside(node, zone);
    else if (zone?.kind === "code") this.#follow(node);
  }

  #begin(start: FunctionNode, contextAt: number): void {
    const context = this.#parameter(start, contextAt);
    const known = this.#zones.get(start);
    if (known?.kind === "step" || (known !== undefined && (context ?? known.context) === known.context))
      return;
    this.#zones.set(start, {
      kind: "code",
      start,
      context,
      hasOwnContext: context !== undefined,
      outer: known?.outer,
    });
  }

  #noteCallbacks(call: Call, made: ContextCall, zone: Zone): void {
    if (zone.kind === "step") return;
    for (const { kind, function: start, contextAt } of callbacksOf(call, made, this.names)) {
      const known = this.#zones.get(start);
      if (known !== undefined && (known.kind === kind || kind !== "step")) continue;
      const context = this.#parameter(start, contextAt) ?? (kind === "answered" ? zone.context : undefined);
      const isBranch = kind === "branch";
      this.#zones.set(start, {
        kind: isBranch ? zone.kind : kind,
        start,
        context,
        hasOwnContext: isBranch,
        outer: zone,
      });
    }
  }

  #isActivity(node: Node): node is Call {
    return node.type === "CallExpression" && this.names.isOfCore(node.callee, "activity");
  }

  /** The handlers of activities are no orchestration code, wherever they stand. */
  #setAside(call: Call, outer: Zone | undefined): void {
    const last = call.arguments.at(-1);
    const start = last && functionOf(last, this.names);
    if (start === undefined) return;
    this.#zones.set(start, { kind: "step", start, context: undefined, hasOwnContext: true, outer });
  }

  /** A function of the file that orchestration code calls is orchestration code, and gets the contexts that are passed. */
  #follow(call: Call): void {
    const called = functionOf(call.callee, this.names);
    const takesActivity = called?.params.some((each) => hasType(each, "ActivityContext", this.names));
    if (called === undefined || takesActivity) return;
    const contextAt = this.contextAt(call);
    // Without a context, a function within orchestration code is a part of what is around it.
    if (contextAt >= 0 || this.#zoneOf(called) === undefined) this.#begin(called, contextAt);
  }

  #noteSaga(target: Node): void {
    const saga = this.names.declared(target);
    if (saga !== undefined) this.#sagas.add(saga);
  }

  #parameter({ params }: FunctionNode, at: number): Variable | undefined {
    const parameter = params[at];
    const context = parameter?.type === "Identifier" ? this.names.declared(parameter) : undefined;
    if (context !== undefined) this.#contexts.add(context);
    return context;
  }
}
