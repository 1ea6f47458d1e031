/** Forbids the clock and the timers of the process. */
import type { Rule } from "../syntax/eslint.ts";
import { checkCalls, type ForbiddenCall, MESSAGES } from "./outside-calls.ts";
import { defineRule } from "./rule.ts";

const TIME = "ctx.now(), or await ctx.utcNow() for the clock of the worker,";
const DELAY = "await ctx.scheduleTimer(delay)";
const NOW = (context: string): string => `${context}.now()`;

const CALLS: readonly ForbiddenCall[] = [
  {
    from: "global",
    path: /^Date\.now$/,
    instead: TIME,
    isAnswered: true,
    replacement: { text: NOW, isSafe: true },
  },
  {
    from: "global",
    path: /^new Date$/,
    instead: "new Date(ctx.now())",
    isAnswered: true,
    isWithoutArgument: true,
    replacement: { text: (context) => `new Date(${NOW(context)})`, isSafe: true },
  },
  { from: "global", path: /^Date$/, instead: "new Date(ctx.now())" },
  {
    from: "global",
    path: /^performance\.now$/,
    instead: TIME,
    isAnswered: true,
    replacement: { text: NOW, isSafe: false },
  },
  { from: "perf_hooks", path: /^performance\.now$/, instead: TIME },
  { from: "global", path: /^process\.(hrtime(\.bigint)?|uptime)$/, instead: TIME },
  { from: "process", path: /^(hrtime(\.bigint)?|uptime)$/, instead: TIME },
  { from: "global", path: /^Temporal\.Now\.\w+$/, instead: TIME },
  {
    from: "global",
    path: /^(setTimeout|setInterval|setImmediate|process\.nextTick)$/,
    instead: DELAY,
    isDelay: true,
  },
  { from: "timers", path: /^set/, instead: DELAY, isDelay: true },
  { from: "timers/promises", path: /./, instead: DELAY, isDelay: true },
  { from: "global", path: /^(Bun\.sleep|scheduler\.\w+)$/, instead: DELAY, isDelay: true },
  { from: "@duroxide-ts/core", path: /^sleep$/, instead: DELAY, isDelay: true },
  {
    from: "global",
    path: /^AbortSignal\.timeout$/,
    instead: "ctx.race with ctx.scheduleTimer(delay)",
    isDelay: true,
  },
];

export const noClock: Rule = defineRule({
  description: "forbid the clock and the timers of the process in orchestration code",
  messages: MESSAGES,
  fixable: true,
  check: (code, file) => checkCalls(code, file, CALLS),
});
