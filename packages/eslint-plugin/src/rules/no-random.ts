/** Forbids random numbers and ids of the process. */
import type { Rule } from "../syntax/eslint.ts";
import { checkCalls, type ForbiddenCall, MESSAGES } from "./outside-calls.ts";
import { defineRule } from "./rule.ts";

const CHANCE = "ctx.random()";
const ID = "await ctx.newGuid()";
const ACTIVITY = "an activity";
const GUID = { text: (context: string) => `await ${context}.newGuid()`, isSafe: false };

const CALLS: readonly ForbiddenCall[] = [
  {
    from: "global",
    path: /^Math\.random$/,
    instead: CHANCE,
    isAnswered: true,
    replacement: { text: (context) => `${context}.random()`, isSafe: true },
  },
  { from: "global", path: /^crypto\.randomUUID$/, instead: ID, isAnswered: true, replacement: GUID },
  { from: "global", path: /^crypto\.getRandomValues$/, instead: CHANCE, isAnswered: true },
  { from: "crypto", path: /^(webcrypto\.)?randomUUID$/, instead: ID, replacement: GUID },
  { from: "crypto", path: /^(random\w+|generate\w+|(webcrypto\.)?getRandomValues)$/, instead: ACTIVITY },
  { from: "uuid", path: /^(v1|v4|v6|v7)$/, instead: ID, replacement: GUID },
  { from: "nanoid", path: /^(nanoid|customAlphabet)$/, instead: ID },
  { from: "ulid", path: /^(ulid|monotonicFactory)$/, instead: ID },
  { from: "@paralleldrive/cuid2", path: /^createId$/, instead: ID },
];

export const noRandom: Rule = defineRule({
  description: "forbid random numbers and ids of the process in orchestration code",
  messages: MESSAGES,
  fixable: true,
  check: (code, file) => checkCalls(code, file, CALLS),
});
