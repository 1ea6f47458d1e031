/** `duroxide schedules apply`: makes schedules as a file says. */
import type { ApplyResult, Schedule } from "@duroxide-ts/core";
import { instantMs } from "@duroxide-ts/core/stores";
import { RECORD } from "../command/flags.ts";
import { jsonArgument } from "../command/json-argument.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, usage } from "../errors/exit-code.ts";
import { formatJson } from "../output/json.ts";
import { safeText } from "../text/safe-text.ts";

const FLAGS = {
  prune: { kind: "switch", help: "also deletes those that it applied before and that are not in the file" },
  owner: { kind: "text", value: "OWNER", help: "for --prune; hand by default" },
  ...RECORD,
} as const;

const DONE: Readonly<Record<keyof ApplyResult, string>> = {
  created: "is created",
  updated: "is changed",
  deleted: "is deleted",
  outdated: "is as it was: a newer definition is stored",
};

export const schedulesApply: Verb = defineVerb({
  name: "schedules apply",
  takes: "<file> | -",
  flags: FLAGS,
  details: `
The file has a list in JSON, each entry with a name, one of cron, every and at (instants as texts), and an
orchestration: [{ "name": "nightly", "cron": "0 3 * * *", "orchestration": "cleanUp" }].`,
  examples: [
    ["schedules apply schedules.json", "creates, and changes what differs"],
    ["schedules apply schedules.json --prune", "also deletes what is not in the file any more"],
  ],
  async run({ words: [file, ...more], flags, store, form, terminal }) {
    if (file === undefined || more.length > 0)
      throw usage("It takes one file: duroxide schedules apply <file>");
    const text = file === "-" ? "-" : `@${file}`;
    const given = await jsonArgument(text, file, { terminal, asValue: true });
    if (!Array.isArray(given)) throw usage(`${file}: it must have a list of schedules`);
    const { client } = await store("write");
    const options = { prune: flags.prune, owner: flags.owner ?? "hand", ...recordOf(flags) };
    const result = await client.schedules.apply(given.map(withDates), options);
    if (form === "table") {
      const lines = Object.entries(DONE).flatMap(([kind, done]) =>
        result[kind as keyof ApplyResult].map((name) => `${safeText(name)} ${done}\n`),
      );
      terminal.write(lines.length === 0 ? "Nothing has changed.\n" : lines.join(""));
    } else terminal.write(formatJson(result));
    return EXIT.ok;
  },
});

/** A text that is no instant stays one, and is refused. */
function dateOf(each: unknown): unknown {
  const ms = typeof each === "string" ? instantMs(each) : undefined;
  return ms === undefined ? each : new Date(ms);
}

/** Instants of a file are texts. */
function withDates(given: Schedule): Schedule {
  const at: unknown = given?.at;
  if (!Array.isArray(at)) return given;
  return { ...given, at: at.map(dateOf) } as Schedule;
}
