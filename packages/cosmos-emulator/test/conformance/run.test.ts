/** The suite as a command, where it cannot begin. */
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const RUN = fileURLToPath(new URL("../../conformance/run.ts", import.meta.url));

function run(...args: string[]): Promise<{ exitCode: unknown; errors: string }> {
  const options = ["--conditions=@duroxide-ts/source", "--no-warnings", RUN];
  return new Promise((resolve) => {
    execFile(process.execPath, [...options, ...args], (error, _, errors) =>
      resolve({ exitCode: error?.code ?? 0, errors }),
    );
  });
}

/** An address at which nothing listens any more. */
async function unusedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

describe("the command", () => {
  it("says in one line that nothing answers, and what to do", async () => {
    const address = await unusedAddress();
    const { exitCode, errors } = await run("--endpoint", address);
    expect(errors).toBe(
      `Nothing answers at ${address} (ECONNREFUSED): start the endpoint first, or mend --endpoint.\n`,
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    [["--endpoint", "nonsense"], /^The suite cannot begin at nonsense: .*\n$/, 1],
    [[], /^Say which endpoint: .*\n$/, 2],
    [["--nonsense"], /^Unknown option '--nonsense'.*\n$/, 2],
  ])("with %j says in one line what is wrong", async (args, message, expected) => {
    const { exitCode, errors } = await run(...args);
    expect(errors).toMatch(message);
    expect(exitCode).toBe(expected);
  });
});
