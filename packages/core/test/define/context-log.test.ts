import { expect, it } from "vitest";
import { contextLog } from "../../src/define/logger.ts";

it("the log of a handler takes fields and a message, or one of them", () => {
  const written: unknown[] = [];
  const log = contextLog((...entry) => written.push(entry));
  const { warn } = log;
  log.info({ cents: 5 }, "paid");
  warn("late");
  Reflect.apply(log.debug, undefined, [{ n: 1 }]);

  expect(written).toEqual([
    ["info", { cents: 5 }, "paid"],
    ["warn", {}, "late"],
    ["debug", { n: 1 }, ""],
  ]);
});
