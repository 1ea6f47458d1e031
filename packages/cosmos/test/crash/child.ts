/** The process that dies: performs the operation that it is given, and meets the snare on the way. */
import { flushCompileCache } from "node:module";
import type { Assignment } from "./children.ts";
import { OPERATIONS } from "./operations/all.ts";
import { LIMITED } from "./operations/limited.ts";
import { SAGA } from "./operations/sagas.ts";
import { SCHEDULE } from "./operations/schedules.ts";
import { STEPS } from "./operations/steps.ts";
import { STREAMS } from "./operations/streams.ts";
import { perform } from "./perform.ts";

process.once("message", async ({ place, name, snare }: Assignment) => {
  const programs = [STEPS, STREAMS, SAGA, SCHEDULE, LIMITED];
  const operation = [...OPERATIONS, ...programs].find((each) => each.name === name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  const performed = await perform(place, operation, snare);
  process.send?.(performed, () => process.disconnect());
});

// So that the next process starts faster; a killed process writes no cache.
flushCompileCache();
