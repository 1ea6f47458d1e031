/** `duroxide schedules get`: one schedule. */
import { scheduleRule, scheduleState } from "@duroxide-ts/core/operate";
import { defineVerb, type Verb } from "../command/verb.ts";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import { printAnswer } from "../output/answer.ts";
import { type Field, formatFields } from "../output/fields.ts";
import { nextLine } from "../output/next-line.ts";
import { scheduleName } from "../schedules/schedule-name.ts";
import { exactTime } from "../text/times.ts";

export const schedulesGet: Verb = defineVerb({
  name: "schedules get",
  takes: "<name>",
  flags: {},
  examples: [
    ["schedules get nightly", "its rules, its pause, and who changed it"],
    ["schedules get nightly -o json", "the same as data"],
  ],
  async run(call) {
    const name = scheduleName("get", call.words);
    const { client } = await call.store("read");
    const schedule = await client.schedules.get(name);
    if (schedule === undefined)
      throw new CommandError(
        EXIT.notFound,
        `there is no schedule "${name}"`,
        nextLine([["schedules", "list"]]),
      );
    const { orchestration, input, overlap, catchUp, paused, lastFailure, queued, owner } = schedule;
    const { nextDueMs, lastDueMs, changes } = schedule;
    const fields: Field[] = [
      ["schedule", name],
      ["state", scheduleState(schedule)],
      ["when", scheduleRule(schedule)],
      ["starts", input === undefined ? orchestration : `${orchestration} ${JSON.stringify(input)}`],
      ["overlap", overlap],
      ["catch-up", typeof catchUp === "string" ? catchUp : `within ${JSON.stringify(catchUp.within)}`],
      ["owner", owner],
    ];
    if (nextDueMs !== undefined) fields.push(["next", exactTime(nextDueMs)]);
    if (lastDueMs !== undefined) fields.push(["last", exactTime(lastDueMs)]);
    if (queued.length > 0) fields.push(["queued", ...queued.map(exactTime)]);
    if (paused !== undefined)
      fields.push([
        "paused",
        [exactTime(paused.sinceMs), paused.by, paused.reason].filter(Boolean).join(", "),
      ]);
    if (lastFailure !== undefined)
      fields.push(["failure", `${exactTime(lastFailure.dueMs)}: ${lastFailure.message}`]);
    fields.push([
      "changes",
      ...changes.map(({ verb, atMs, by, reason }) =>
        [`${exactTime(atMs)} ${verb}`, by, reason].filter(Boolean).join(", "),
      ),
    ]);
    printAnswer(call, {
      value: schedule,
      text: formatFields(fields, call.terminal),
      next: [["schedules", "runs", name]],
    });
    return EXIT.ok;
  },
});
