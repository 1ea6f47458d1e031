/** The orchestration of `bulk-cancel.ts`: it waits until it is cancelled. */
import { orchestration } from "@duroxide-ts/core";

export const waits = orchestration("waits", async (ctx) => ctx.waitForEvent("go"));
