/** The flags of `cosmos-emulator`: from the command line to options, or to a sentence that says what is wrong. */
import { parseArgs } from "node:util";
import type { CosmosEmulatorOptions } from "./options.ts";

export type Command =
  | {
      readonly kind: "start";
      readonly options: CosmosEmulatorOptions;
      readonly certificateFile: string | undefined;
      /** Whether the data explorer is served. */
      readonly hasExplorer: boolean;
    }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "mistake"; readonly message: string };

export const HELP = `Usage: cosmos-emulator [options]

A local endpoint of the Azure Cosmos DB API for NoSQL. A tool for development and tests.

  --port N             where to listen (8081; 0 takes a free port)
  --host HOST          which address (127.0.0.1; 0.0.0.0 lets other machines in)
  --allow-host NAME    answer to this name too, as in a compose file; NAME:PORT for one port;
                       may be given several times (loopback, and addresses beyond it)
  --file FILE          keep everything in FILE across restarts (default: in memory)
  --key KEY            the account's key, base64 (the well-known key of the emulators)
  --https              serve HTTPS with a certificate of its own
  --certificate FILE   with --https: write the certificate there, to be trusted by clients
  --lenient            answer queries that the service refuses; accept / in ids
  --partitions N       split each new container into N partitions (1)
  --aad                accept Microsoft Entra bearer tokens
  --atomic-batches     treat every batch as atomic, also without the header that asks for it
  --enforce-throughput refuse requests beyond the provisioned throughput with 429
  --no-explorer        do not serve the data explorer page
  --seed N             seed of the random numbers of fault rules (1)
  --help               this text
  --version            the version

It is ready when it prints its endpoint; GET /ready says so too. Ctrl+C stops it.
`;

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  "allow-host": { type: "string", multiple: true },
  file: { type: "string" },
  key: { type: "string" },
  https: { type: "boolean" },
  certificate: { type: "string" },
  lenient: { type: "boolean" },
  partitions: { type: "string" },
  aad: { type: "boolean" },
  "atomic-batches": { type: "boolean" },
  "enforce-throughput": { type: "boolean" },
  "no-explorer": { type: "boolean" },
  seed: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

export function parseCommand(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS, allowPositionals: false });
    if (values.help) return { kind: "help" };
    if (values.version) return { kind: "version" };
    if (values.certificate !== undefined && !values.https) throw new Error("--certificate needs --https.");
    const hasExplorer = !values["no-explorer"];
    return { kind: "start", options: optionsOf(values), certificateFile: values.certificate, hasExplorer };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "mistake", message: `${reason}\nSee cosmos-emulator --help.` };
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof FLAGS }>>["values"];

function optionsOf(values: Values): CosmosEmulatorOptions {
  const port = wholeNumber("--port", values.port);
  const physicalPartitions = wholeNumber("--partitions", values.partitions);
  const seed = wholeNumber("--seed", values.seed);
  return {
    ...(port === undefined ? {} : { port }),
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values["allow-host"] === undefined ? {} : { allowedHosts: values["allow-host"] }),
    ...(values.file === undefined ? {} : { path: values.file }),
    ...(values.key === undefined ? {} : { key: values.key }),
    ...(physicalPartitions === undefined ? {} : { physicalPartitions }),
    ...(seed === undefined ? {} : { seed }),
    https: values.https ?? false,
    lenient: values.lenient ?? false,
    aad: values.aad ?? false,
    treatBatchesAsAtomic: values["atomic-batches"] ?? false,
    enforceThroughput: values["enforce-throughput"] ?? false,
  };
}

function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${flag} is ${JSON.stringify(text)}: give a whole number.`);
  return Number(text);
}
