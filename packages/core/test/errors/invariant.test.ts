/** An invariant that does not hold ends its operation with an error that names it, and the process goes on. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

/** Runs in a process of its own, because a test in which an invariant does not hold fails. */
const PROGRAM = `
import { subscribe } from "node:diagnostics_channel";
import { invariant } from "@duroxide-ts/core/stores";
subscribe("duroxide:invariant", ({ message }) => console.log("told: " + message));
invariant(true, "writer.W1");
try { invariant(false, "writer.W3"); } catch ({ message }) { console.log("thrown: " + message); }
`;

it("an invariant that does not hold is thrown and told with its name", () => {
  const { stdout } = spawnSync(
    process.execPath,
    ["--conditions=@duroxide-ts/source", "--input-type=module", "--eval", PROGRAM],
    { cwd: import.meta.dirname, encoding: "utf8" },
  );
  const message = "the invariant writer.W3 does not hold; report it with this stack";
  expect(stdout).toBe(`told: ${message}\nthrown: ${message}\n`);
});
