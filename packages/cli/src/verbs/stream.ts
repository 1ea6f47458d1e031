/** `duroxide stream`: the values of a stream of an instance; without a name its streams, and how far its steps have come. */
import type { ProgressOfStep, StreamInfo, StreamItem } from "@duroxide-ts/core";
import type { AnyHandle } from "@duroxide-ts/core/client";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, type ExitCode, usage } from "../errors/exit-code.ts";
import { readKnown } from "../instances/read-known.ts";
import { writeNext } from "../output/answer.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { decoded, payloadText } from "../output/payload.ts";
import { type Column, formatTable } from "../output/table.ts";
import type { OpenStore } from "../store/open-store.ts";
import { safeName, safeText } from "../text/safe-text.ts";
import { exactTime } from "../text/times.ts";

const FLAGS = {
  follow: { kind: "switch", short: "f", help: "prints new values until the stream or the instance ends" },
  from: { kind: "number", value: "OFFSET", least: 0, help: "offset of the first value (0)" },
  all: { kind: "switch", help: "also values of attempts that others have replaced" },
} as const;

export const stream: Verb = defineVerb({
  name: "stream",
  takes: "<id> [<name>]",
  flags: FLAGS,
  details: `
A value is a line. Where a step begins again, and where values are gone, a line on stderr says so.`,
  examples: [
    ["stream order-42", "its streams, and the progress of its steps"],
    ["stream order-42 tokens --follow", "the values of one, until it ends"],
    ["stream order-42 tokens --from 100 -o jsonl", "with offset, step and attempt"],
  ],
  async run(call): Promise<ExitCode> {
    const [id, name, ...more] = call.words;
    if (id === undefined || more.length > 0)
      throw usage("It takes an id, and the name of a stream: duroxide stream <id> [<name>]");
    const store = await call.store("read");
    const handle = store.client.undecoded().handle("any", id);
    if (name === undefined) return overview(call, store, handle);
    return values(call, store, handle, name);
  },
});

type Handle = AnyHandle<unknown>;

async function overview(
  { form, terminal }: Call<typeof FLAGS>,
  store: OpenStore,
  handle: Handle,
): Promise<ExitCode> {
  const [streams, reports] = await Promise.all([handle.streams(), handle.progress()]);
  const { instanceId: id } = handle;
  if (streams.length === 0 && reports.length === 0) await readKnown(store, id, terminal.clock.now());
  const progress = reports.map((report) => ({
    ...report,
    value: decoded(String(report.value), store.codec),
  }));
  if (form === "json") terminal.write(formatJson({ streams, progress }));
  else if (form === "jsonl")
    for (const each of [...streams, ...progress]) terminal.write(formatJsonLine(each));
  else if (form === "ids") for (const each of streams) terminal.write(`${safeName(each.stream)}\n`);
  else {
    if (streams.length > 0) terminal.write(formatTable(STREAM_COLUMNS, streams, terminal));
    if (reports.length > 0) terminal.write(formatTable(progressColumns(store), reports, terminal));
    const [first] = streams;
    if (first === undefined && reports.length === 0)
      terminal.write("It has no streams, and no step has reported.\n");
    if (first !== undefined) writeNext(terminal, [["stream", id, first.stream]]);
  }
  return EXIT.ok;
}

const STREAM_COLUMNS: readonly Column<StreamInfo>[] = [
  { head: "STREAM", cell: ({ stream: name }) => name, flexible: true },
  { head: "FROM", cell: ({ first }) => String(first), right: true },
  { head: "NEXT", cell: ({ next }) => String(next), right: true },
  { head: "STATE", cell: ({ closed }) => (closed ? "closed" : "open") },
];

function progressColumns({ codec }: OpenStore): readonly Column<ProgressOfStep>[] {
  return [
    { head: "STEP", cell: ({ step }) => step, flexible: true },
    { head: "ATTEMPT", cell: ({ attempt }) => String(attempt), right: true },
    { head: "AT", cell: ({ atMs }) => exactTime(atMs) },
    { head: "PROGRESS", cell: ({ value }) => payloadText(String(value), codec), flexible: true },
  ];
}

async function values(
  { form, terminal, flags }: Call<typeof FLAGS>,
  { codec }: OpenStore,
  handle: Handle,
  name: string,
): Promise<ExitCode> {
  const { interrupted } = terminal;
  const options = { from: flags.from ?? 0, all: flags.all, wait: flags.follow, signal: interrupted };
  const listed: object[] = [];
  try {
    for await (const item of handle.stream(name, options)) {
      const shown = item.offset === undefined ? item : { ...item, value: decoded(String(item.value), codec) };
      if (form === "json") listed.push(shown);
      else if (form === "jsonl") terminal.write(formatJsonLine(shown));
      else if (item.offset === undefined) terminal.note(`${noticeOf(item)}\n`);
      else if (form === "ids") terminal.write(`${item.offset}\n`);
      else terminal.write(`${safeText(lineOf(String(item.value), codec))}\n`);
    }
  } catch (error) {
    if (interrupted.aborted) return EXIT.interrupted;
    throw error;
  }
  if (form === "json") terminal.write(formatJson(listed));
  return EXIT.ok;
}

/** A text is shown without its quotes. */
function lineOf(text: string, codec: OpenStore["codec"]): string {
  const { value } = decoded(text, codec);
  return typeof value === "string" ? value : payloadText(text, codec);
}

function noticeOf({ reset, skipped }: StreamItem<unknown>): string {
  if (reset === undefined) return `${skipped} values are gone`;
  const { step, attempt, fromOffset } = reset;
  return `${safeName(step)} begins again (attempt ${attempt}): its values from ${fromOffset} on are void`;
}
