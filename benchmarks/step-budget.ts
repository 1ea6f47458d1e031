/**
 * Measures where the time of a step goes: W2 and W3 on SQLite, ten times as long as usual, each statement counted and timed.
 * The classes of node:sqlite are patched before anything opens a file; that costs 0.2 µs a statement. Half as many steps
 * come before, so that V8 has compiled the code.
 */
import { PerformanceObserver } from "node:perf_hooks";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { Client, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { withFile } from "./database.ts";
import { round } from "./figures.ts";
import { runBlock } from "./pairs.ts";
import { activities, orchestrations, WORKLOADS } from "./workloads.ts";

const LONGER = 10;
/** Statements that take less than this of a step are one line, µs. */
const LEAST_US = 0.1;

interface Tally {
  count: number;
  ms: number;
}

/** Statements by their text, while `isOn`. */
class Statements {
  isOn = false;
  readonly byText = new Map<string, Tally>();
  readonly #texts = new WeakMap<object, string>();

  patch(): void {
    const statements = this;
    const { prepare } = DatabaseSync.prototype;
    DatabaseSync.prototype.prepare = function prepared(sql: string): StatementSync {
      const statement = prepare.call(this, sql);
      statements.#texts.set(statement, sql.replaceAll(/\s+/g, " "));
      return statement;
    };
    for (const method of ["run", "get", "all"] as const) {
      const original = StatementSync.prototype[method] as (...values: unknown[]) => unknown;
      const timed = function timed(this: StatementSync, ...values: unknown[]): unknown {
        if (!statements.isOn) return original.apply(this, values);
        const sinceMs = performance.now();
        try {
          return original.apply(this, values);
        } finally {
          statements.#add(this, performance.now() - sinceMs);
        }
      };
      Object.defineProperty(StatementSync.prototype, method, { value: timed });
    }
  }

  #add(statement: StatementSync, ms: number): void {
    const text = this.#texts.get(statement) ?? "";
    const tally = this.byText.get(text) ?? { count: 0, ms: 0 };
    tally.count++;
    tally.ms += ms;
    this.byText.set(text, tally);
  }
}

export async function measureStepBudget(): Promise<readonly object[]> {
  const statements = new Statements();
  statements.patch();
  const lines: object[] = [];
  for (const name of ["W2", "W3"]) {
    statements.byText.clear();
    lines.push(...(await budgetOf(name, statements)));
  }
  return lines;
}

async function budgetOf(name: string, statements: Statements): Promise<readonly object[]> {
  const workload = WORKLOADS[name];
  if (workload === undefined) throw new Error(`there is no workload ${name}`);
  let garbageMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) garbageMs += duration;
  });
  return withFile(async (path) => {
    await using provider = await SqliteProvider.open(path);
    await using _runtime = await Runtime.start({ provider, activities, orchestrations });
    const client = new Client(provider);
    const block = { ...workload, n: workload.n * LONGER };
    await runBlock(client, "warm-up", { ...block, n: block.n / 2 });
    observer.observe({ entryTypes: ["gc"] });
    statements.isOn = true;
    const before = process.cpuUsage();
    const sinceMs = performance.now();
    await runBlock(client, "block", block);
    const wallMs = performance.now() - sinceMs;
    const { user, system } = process.cpuUsage(before);
    statements.isOn = false;
    observer.disconnect();
    return shares(
      name,
      block.n * block.per,
      { wallMs, cpuMs: (user + system) / 1_000, garbageMs },
      statements,
    );
  });
}

interface Times {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly garbageMs: number;
}

/** One line for the whole, then one for each statement; times are µs of a step. */
function shares(
  name: string,
  steps: number,
  { wallMs, cpuMs, garbageMs }: Times,
  { byText }: Statements,
): readonly object[] {
  const us = (ms: number): number => round((ms * 1_000) / steps);
  const tallies = [...byText].sort(([, a], [, b]) => b.ms - a.ms);
  const sum = (of: typeof tallies): number => of.reduce((total, [, { ms }]) => total + ms, 0);
  const commits = byText.get("COMMIT") ?? { count: 0, ms: 0 };
  const others = tallies.filter(([text]) => text !== "COMMIT");
  const shown = others.filter(([, { ms }]) => us(ms) >= LEAST_US);
  const whole = {
    workload: name,
    steps,
    wall_us: us(wallMs),
    cpu_us: us(cpuMs),
    commits: commits.count,
    commit_us: us(commits.ms),
    statements: round(others.reduce((total, [, { count }]) => total + count, 0) / steps),
    statements_us: us(sum(others)),
    garbage_us: us(garbageMs),
    code_us: us(wallMs - commits.ms - sum(others) - garbageMs),
  };
  const lines = shown.map(([text, { count, ms }]) => ({
    workload: name,
    statement: text.slice(0, 100),
    each_step: round(count / steps),
    us: us(ms),
  }));
  return [whole, ...lines];
}
