/** Writes docs/what-you-see-when.md from the mistakes and the messages that they got. */

import type { Finding } from "../support/compile.ts";
import type { CompileMistake } from "./compile-mistakes.ts";
import type { RunMistake } from "./run-mistakes.ts";

export interface FoundMistake extends CompileMistake {
  readonly findings: readonly Finding[];
}

export interface ToldMistake extends RunMistake {
  readonly message: string;
}

const INTRODUCTION = `# What you see when …

Typical mistakes, and the message that each gets. This page is generated: the test in [test/what-you-see](../test/what-you-see) makes each mistake and compares what it sees with this page; \`npm test -- test/what-you-see -- -u\` writes it anew. What the codes of errors mean is in [errors.md](errors.md).

The programs know these names: the activities \`charge\` (takes an order, returns \`{ receipt }\`), \`ship\` (takes \`{ receipt }\`), \`isPaid\` (takes an id, returns a boolean), \`due\` (takes an id, returns a \`Date\` in \`at\`) and \`ping\` (takes nothing, returns a number); the orchestration \`checkout\`, which takes an order; the event \`approved\` of a boolean, the queue \`jobs\` of \`{ n }\`, the key \`progress\` of a number; \`order\`, \`ctx\`, \`client\`, \`handle\` and \`provider\`.
`;

export function pageOf(found: readonly FoundMistake[], told: readonly ToldMistake[]): string {
  return [
    INTRODUCTION,
    COMPILER,
    found.map(({ title, findings }) => `- ${title}: \`${findings.map(textOf).join(" ")}\`\n`).join(""),
    NOT_FOUND,
    "## The program says\n\nIn JavaScript the mistakes above are found when the call is made, by name.\n",
    "### Beside orchestrations\n",
    ...told.filter(({ place }) => place === "program").map(section),
    "### In an orchestration\n\nWhat `handle.status()` says, and `handle.result()` rejects with. A blocked instance goes on when code that fits is deployed.\n",
    ...told.filter(({ place }) => place === "orchestration").map(section),
    "### In the log\n\nThe instance goes on. The log has a warning, by default on stderr ([observability.md](observability.md)).\n",
    ...told.filter(({ place }) => place === "log").map(section),
  ].join("\n");
}

const COMPILER = `## The compiler says

The programs are in [compile-mistakes.ts](../test/what-you-see/compile-mistakes.ts).
`;

const NOT_FOUND = `### What the compiler does not see

- A call whose task is neither awaited nor used: \`ctx.scheduleActivity(charge, order);\`. Lint rules for floating promises see it (typescript-eslint \`no-floating-promises\`, Biome \`noFloatingPromises\`).
- A task in a text: \`\${ctx.scheduleActivity(ping)}\`. It throws when the code runs, see below.
- A handler that is called and not registered. The instance is blocked and says so, see below.
- An input of a handler that is declared as a \`Date\`: what arrives is a text.
`;

function section({ title, code, client, message }: ToldMistake): string {
  const also = client === undefined ? "" : `\n\n// A client\n${client}`;
  return `#### ${title}\n\n\`\`\`js\n${code}${also}\n\`\`\`\n\n\`\`\`text\n${message}\n\`\`\`\n`;
}

/** The first line. The compiler names types that the snippet does not import by the place of their file. */
function textOf({ code, lines: [first = ""] }: Finding): string {
  return `TS${code}: ${first.replaceAll(/import\("[^"]*"(?:, \{[^)]*\})?\)\./g, "")}`;
}
