/** What our own endpoint does by command in a rehearsal, where on an account the service or the operator does it. */
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
