/** Commands to our own endpoint in a rehearsal, for what on an account the service or the operator does. */
import type { Stage } from "../stage.ts";

/** Whether the endpoint knows the command, and did it. */
export async function command(
  { raw, place }: Stage,
  method: "POST" | "PUT",
  name: "split" | "failover" | "budget",
  body: object,
): Promise<boolean> {
  if (place.emulator === undefined) return false;
  const { status } = await raw.send({ method, link: "", path: `/_emulator/${name}`, body });
  return status < 300;
}
