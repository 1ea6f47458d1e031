/** Forbids the outside world: network, files, child processes, the console, and clients of the store. */

import type { OrchestrationCode } from "../code/orchestration-code.ts";
import { hasType } from "../code/starts.ts";
import type { Rule } from "../syntax/eslint.ts";
import { type Call, type Node, unwrapped } from "../syntax/node.ts";
import { checkCalls, type ForbiddenCall, MESSAGES } from "./outside-calls.ts";
import { defineRule, type RuleFile } from "./rule.ts";

const ACTIVITY = "an activity or ctx.run";

const MODULES: readonly string[] = [
  "child_process cluster dgram dns dns/promises fs fs/promises http http2 https inspector net readline",
  "readline/promises sqlite tls worker_threads",
  "axios got ky node-fetch undici",
].flatMap((names) => names.split(" "));

const CALLS: readonly ForbiddenCall[] = [
  { from: "global", path: /^(fetch|navigator\.sendBeacon|Atomics\.wait)$/, instead: ACTIVITY },
  { from: "global", path: /^new (EventSource|WebSocket|Worker|XMLHttpRequest)$/, instead: ACTIVITY },
  { from: "global", path: /^(Deno|Bun)\.(?!env\b|version\b|sleep\b)\w/, instead: ACTIVITY },
  { from: "global", path: /^process\.(exit|kill|abort|std\w+\.write)$/, instead: ACTIVITY },
  { from: "global", path: /^console\.\w+$/, instead: "ctx.log, which is silent on replay," },
  ...MODULES.map((from) => ({ from, path: /^/, instead: ACTIVITY })),
];

export const noIo: Rule = defineRule({
  description: "forbid network, files, child processes, the console and clients in orchestration code",
  messages: {
    ...MESSAGES,
    differs: "{{call}} in orchestration code is repeated by every replay; use {{instead}} instead",
    client:
      "a call of a client in orchestration code is repeated by every replay; use ctx.client of an activity or a step, or a call of ctx, instead",
  },
  check: (code, file) => {
    checkCalls(code, file, CALLS);
    checkClients(code, file);
  },
});

function checkClients(code: OrchestrationCode, file: RuleFile<"client">): void {
  for (const { node, zone } of code.nodes) {
    if (zone.kind !== "step" && node.type === "CallExpression" && isOnClient(node, code)) {
      file.report({ node, messageId: "client" });
    }
  }
}

function isOnClient({ callee }: Call, { names }: OrchestrationCode): boolean {
  const member = unwrapped(callee);
  const object: Node | undefined = member.type === "MemberExpression" ? unwrapped(member.object) : undefined;
  const [definition] = (object && names.variable(object)?.defs) ?? [];
  if (definition === undefined) return false;
  if (hasType(definition.name, "Client", names)) return true;
  const { node } = definition;
  if (node.type !== "VariableDeclarator" || node.init?.type !== "NewExpression") return false;
  return names.isOfCore(node.init.callee, "Client");
}
