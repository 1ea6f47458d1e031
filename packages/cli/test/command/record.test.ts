/** The record of changes that the store has no place for. */
import { silentLogger, systemClock } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { recordingLogger } from "../../src/command/record.ts";
import type { Terminal } from "../../src/terminal/terminal.ts";

it("has a line for each change, and none for the advice of a store", () => {
  const noted: string[] = [];
  const terminal = {
    logger: silentLogger,
    clock: { ...systemClock, now: () => 0 },
    note: (text: string) => void noted.push(text),
  } as Partial<Terminal> as Terminal;
  const logger = recordingLogger(terminal);
  logger.info({ about: "advice" }, "the container lacks an index");
  logger.info({ event: "instance_deleted", by: "ada" }, "instance deleted by hand");
  expect(noted).toEqual(['{"at":"1970-01-01T00:00:00.000Z","event":"instance_deleted","by":"ada"}\n']);
});
