/** Waits for an instance and prints what it ends with. */
import type { OrchestrationFailedError } from "@duroxide-ts/core";
import { EXIT, type ExitCode } from "../errors/exit-code.ts";
import { failureLines } from "../output/failure-lines.ts";
import type { OutputForm } from "../output/form.ts";
import { idLine } from "../output/id-line.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { nextLine } from "../output/next-line.ts";
import { decoded, payloadText } from "../output/payload.ts";
import type { OpenStore } from "../store/open-store.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { safeName, safeText } from "../text/safe-text.ts";
import { span } from "../text/times.ts";

interface ResultCall {
  readonly form: OutputForm;
  readonly terminal: Terminal;
}

/** `failed` if the instance failed, or did not end in time. */
export async function awaitResult(
  { form, terminal }: ResultCall,
  { client, codec }: Pick<OpenStore, "client" | "codec">,
  instanceId: string,
  timeoutMs: number | undefined,
): Promise<ExitCode> {
  const { clock, interrupted } = terminal;
  // As it is stored: in a decoded result long numbers have lost digits.
  const handle = client.undecoded().handle("any", instanceId);
  const sinceMs = clock.now();
  const print = (value: object): void =>
    terminal.write((form === "json" ? formatJson : formatJsonLine)(value));
  try {
    const options = { signal: interrupted, ...(timeoutMs !== undefined && { timeout: timeoutMs }) };
    const output = String(await handle.result(options));
    if (form === "ids") terminal.write(`${idLine(instanceId)}\n`);
    else if (form !== "table") print({ instanceId, status: "Completed", output: decoded(output, codec) });
    else {
      terminal.note(`${safeName(instanceId)} completed (waited ${span(clock.now() - sinceMs)})\n`);
      terminal.write(`${safeText(payloadText(output, codec))}\n`);
    }
    return EXIT.ok;
  } catch (error) {
    if (interrupted.aborted) return EXIT.interrupted;
    const { name, code } = error as { readonly name?: string; readonly code?: string };
    if (code === "timeout") {
      const [, why = ""] = (error as Error).message.split("the wait timed out", 2);
      const next = nextLine([["show", instanceId]]);
      terminal.note(`${safeName(instanceId)} has not ended${safeText(why)}\n${next}\n`);
      return EXIT.failed;
    }
    if (name !== "OrchestrationFailedError") throw error;
    const { details } = error as OrchestrationFailedError;
    if (form === "table")
      terminal.note(
        failureLines(details)
          .map((line) => `${safeText(line)}\n`)
          .join(""),
      );
    else if (form !== "ids") print({ instanceId, status: (await handle.status()).status, details });
    return EXIT.failed;
  }
}
