/** Starts that no process has taken: they are rows of the queue, and the store has no instance for them. */
import { Refused } from "../http/answers.ts";
import { isNotFound } from "./not-found.ts";
import type { Source } from "./source.ts";

/** The error for an instance that is not found: another one if its start waits. */
export async function notBegun(
  { admin, client }: Source,
  instanceId: string,
  error: unknown,
): Promise<unknown> {
  if (!isNotFound(error)) return error;
  const status = await client.handle("unknown", instanceId).status();
  const detail = "blocked" in status ? status.blocked?.[0]?.detail : undefined;
  const name = await nameOfStart(admin, instanceId);
  if (name === undefined && detail === undefined) return error;
  const why = detail === undefined ? "" : `: ${detail}`;
  return new Refused(404, "not-begun", `The start of ${name ?? "it"} waits for a process${why}`);
}

/** Rejects with the error of the store where there is neither an instance nor a start. */
export async function checkKnown({ admin }: Source, instanceId: string): Promise<void> {
  try {
    await admin.info(instanceId);
  } catch (error) {
    if (!isNotFound(error) || (await nameOfStart(admin, instanceId)) === undefined) throw error;
  }
}

/** `undefined` where none waits, or where the store cannot say. */
async function nameOfStart(admin: Source["admin"], instanceId: string): Promise<string | undefined> {
  if (!admin.queries) return undefined;
  const { work } = await admin.work({ instanceId, kind: "orchestrator" });
  return work.find(({ item }) => item === "StartOrchestration")?.name;
}
