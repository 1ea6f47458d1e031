/** The log of a machine goes into the trace. */
import type { Logger } from "@duroxide-ts/core";
import type { Machine } from "./machine.ts";
import type { World } from "./world.ts";

export function tracingLogger(world: World, machine: Machine): Logger {
  const write =
    (level: string): Logger["info"] =>
    (fields, message) =>
      world.trace.add(
        `${machine.name} ${level} ${String(fields["event"] ?? "")} ${String(fields["instance_id"] ?? "")} ${message}`,
      );
  return { debug: () => {}, info: write("info"), warn: write("warn"), error: write("error") };
}
