/**
 * One script in one QuickJS runtime, made for it and freed after it. Only texts cross the border, as JSON where a
 * script had a say in them: a NUL would cut anything else short.
 */
import {
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
  Scope,
} from "quickjs-emscripten-core";
import type { Phase, RunMessage } from "./channel.ts";
import { COLLECTION_API } from "./inside/collection-api.ts";
import { SERVER_API } from "./inside/server-api.ts";
import type { ScriptException, ScriptOutcome } from "./script-outcome.ts";

/** The functions that a script reaches outside of its sandbox. None of them may throw. */
export interface SandboxHost {
  readonly phase: Phase;
  /** Makes a call. The answer is JSON text. */
  call(operation: string, argument: string): string;
}

/** Size in bytes of the interpreter's own stack; the stack of the thread below it must be much larger. */
const STACK_BYTES = 256 * 1024;

/** Number of promise jobs between two checks of the phase: a promise that makes the next one never ends by itself. */
const JOBS_AT_ONCE = 100;

const API_FILE = "server-api.js";

/** Carries what was thrown inside the sandbox out to where it is described. */
class Thrown extends Error {
  readonly value: QuickJSHandle;

  constructor(value: QuickJSHandle) {
    super("An exception inside the sandbox.");
    this.value = value;
  }
}

/**
 * Runs a script to its end. An error that leaves this function is a failure of the interpreter (its stack or memory
 * gave out in a place where it cannot recover): nothing can be freed then, and `quickJs` must not be used again.
 */
export function runInSandbox(
  quickJs: QuickJSWASMModule,
  message: RunMessage,
  host: SandboxHost,
): ScriptOutcome {
  const runtime = quickJs.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  runtime.setInterruptHandler(() => host.phase === "stopped");
  const context = runtime.newContext();
  const scope = new Scope();
  const outcome = new Sandbox(runtime, context, scope, host).run(message);
  scope.dispose();
  context.dispose();
  runtime.dispose();
  return outcome;
}

class Sandbox {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #scope: Scope;
  readonly #host: SandboxHost;

  constructor(runtime: QuickJSRuntime, context: QuickJSContext, scope: Scope, host: SandboxHost) {
    this.#runtime = runtime;
    this.#context = context;
    this.#scope = scope;
    this.#host = host;
  }

  run(message: RunMessage): ScriptOutcome {
    try {
      const api = this.#serverApi(message);
      const main = this.#main(message, api);
      return typeof main === "string" ? { kind: "not-a-function", reason: main } : this.#drive(api, main);
    } catch (error) {
      // The order to stop can arrive at any step, also while the interpreter reads what it is to run.
      if (error instanceof Thrown && this.#host.phase === "stopped") return { kind: "stopped" };
      throw error;
    }
  }

  /** Makes the functions that drive a script; see inside/server-api.ts. */
  #serverApi(message: RunMessage): QuickJSHandle {
    const { source: _, name: __, ...settings } = message;
    const host = this.#scope.manage(this.#context.newObject());
    const accepting = (): string => (this.#host.phase === "open" ? "yes" : "");
    const call = (...[operation = "", argument = ""]: readonly string[]): string =>
      this.#host.call(operation, argument);
    this.#context.setProp(host, "accepting", this.#function(accepting));
    this.#context.setProp(host, "call", this.#function(call));
    const makeCollection = this.#evaluate(COLLECTION_API, API_FILE);
    const serverApi = this.#evaluate(SERVER_API, API_FILE);
    return this.#call(serverApi, host, this.#text(JSON.stringify(settings)), makeCollection);
  }

  /** Makes the script a function, or returns the reason why it is none. */
  #main({ source, name }: RunMessage, api: QuickJSHandle): QuickJSHandle | string {
    try {
      const main = this.#evaluate(`(${withoutSemicolons(source)}\n)`, `${name}.js`);
      const type = this.#context.typeof(main);
      return type === "function" ? main : `it is of type ${type}`;
    } catch (error) {
      if (error instanceof Thrown && this.#host.phase !== "stopped") return this.#describe(api, error).text;
      throw error;
    }
  }

  #drive(api: QuickJSHandle, main: QuickJSHandle): ScriptOutcome {
    try {
      this.#call(this.#method(api, "start"), main);
      this.#runJobs();
      const step = this.#method(api, "step");
      while (this.#host.phase !== "stopped" && this.#goOn(step)) this.#runJobs();
      return this.#finish(api);
    } catch (error) {
      if (!(error instanceof Thrown) || this.#host.phase === "stopped") throw error;
      return { kind: "threw", exception: this.#describe(api, error) };
    }
  }

  /**
   * Makes a step. Not through `#call`: a script may take very many steps, and the results of `#call` are kept until
   * the end.
   */
  #goOn(step: QuickJSHandle): boolean {
    const result = this.#context.callFunction(step, this.#context.undefined);
    if (result.error !== undefined) throw new Thrown(this.#scope.manage(result.error));
    return result.value.consume((value) => this.#context.dump(value) === true);
  }

  #finish(api: QuickJSHandle): ScriptOutcome {
    if (this.#host.phase === "stopped") return { kind: "stopped" };
    return { kind: "finished", body: this.#context.getString(this.#call(this.#method(api, "finish"))) };
  }

  /** Runs promise jobs. Unhandled rejections are ignored, because the service commits in spite of them. */
  #runJobs(): void {
    while (this.#runtime.hasPendingJob() && this.#host.phase !== "stopped") {
      this.#runtime.executePendingJobs(JOBS_AT_ONCE).dispose();
    }
  }

  #describe(api: QuickJSHandle, thrown: Thrown): ScriptException {
    try {
      const description = this.#call(this.#method(api, "describe"), thrown.value);
      return exceptionFrom(this.#context.getString(description));
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      return { text: "an exception that cannot be shown", stack: "", tooLarge: false };
    }
  }

  #evaluate(code: string, file: string): QuickJSHandle {
    return this.#valueOf(this.#context.evalCode(code, file));
  }

  #call(callee: QuickJSHandle, ...args: readonly QuickJSHandle[]): QuickJSHandle {
    return this.#valueOf(this.#context.callFunction(callee, this.#context.undefined, ...args));
  }

  #valueOf(result: ReturnType<QuickJSContext["evalCode"]>): QuickJSHandle {
    if (result.error !== undefined) throw new Thrown(this.#scope.manage(result.error));
    return this.#scope.manage(result.value);
  }

  #method(owner: QuickJSHandle, name: string): QuickJSHandle {
    return this.#scope.manage(this.#context.getProp(owner, name));
  }

  #text(value: string): QuickJSHandle {
    return this.#scope.manage(this.#context.newString(value));
  }

  #function(run: (...args: readonly string[]) => string): QuickJSHandle {
    const handle = this.#context.newFunction("host", (...args) =>
      this.#context.newString(run(...args.map((arg) => this.#context.getString(arg)))),
    );
    return this.#scope.manage(handle);
  }
}

function exceptionFrom(text: string): ScriptException {
  const exception = JSON.parse(text) as ScriptException;
  const isOwn = (line: string): boolean => line.trim() !== "" && !line.includes(`(${API_FILE}:`);
  return { ...exception, stack: exception.stack.split("\n").filter(isOwn).join("\n") };
}

/** Cuts semicolons off: `function f() {};` is a function, except to a parser of expressions. */
function withoutSemicolons(source: string): string {
  let end = source.length;
  while (end > 0 && /[\s;]/.test(source.charAt(end - 1))) end--;
  return source.slice(0, end);
}
