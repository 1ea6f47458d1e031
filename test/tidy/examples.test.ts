/** The examples in docstrings, which editors show, compile against the packages as they are. */
import { expect, it } from "vitest";
import { compile } from "../support/compile.ts";
import { listShippedSources, read } from "./repository.ts";

/** Names that examples may use without a definition of their own. */
const GIVEN = `
import type { TokenCredential } from "@azure/core-auth";
import * as z from "zod";
import {
  activity, Client, event, type InstanceHandle, isCallFailure, key, orchestration,
  type OrchestrationContext, type Provider, question, queue, Runtime, schedule, stream,
} from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { encryptedCodec } from "@duroxide-ts/core/codecs";
import { azureBlobStore, type BlobContainer, fileBlobStore, withOffload } from "@duroxide-ts/core/offload";
import { TestEnvironment, type TestRun, VirtualClock } from "@duroxide-ts/core/testing";
import { SqliteProvider } from "@duroxide-ts/sqlite";

// Of @azure/identity and @azure/storage-blob, which are not installed.
declare const DefaultAzureCredential: new () => TokenCredential;
declare const ContainerClient: new (url: string, credential: TokenCredential) => BlobContainer;

interface Order { id: string; cents: number }
declare function pay(cents: number, options?: { idempotencyKey: string; signal: AbortSignal }): Promise<string>;
const charge = activity("charge", async (_ctx, order: Order) => pay(order.cents));
const checkout = orchestration("checkout", async (ctx, order: Order) => ctx.scheduleActivity(charge, order));
const approved = event<{ by: string }>("approved", { keep: true });
const lines = queue<{ sku: string }>("lines");
const total = key<number>("total");
const tokens = stream<string>("tokens");
const price = question<{ currency: string }, number>("price");
const orchestrations = [checkout];
const activities = [charge];

export async function example(
  { ctx, order, orders, client, handle, provider, request, env, run }: {
    ctx: OrchestrationContext; order: Order; orders: Order[]; client: Client;
    handle: InstanceHandle<string>; provider: Provider; request: Request; env: TestEnvironment; run: TestRun<string>;
  },
) {
`;

interface Example {
  readonly file: string;
  readonly code: string;
}

/** Examples stand in a fence, each line behind the star of the docstring. */
function examplesOf(file: string): readonly Example[] {
  return [...read(file).matchAll(/@example\n\s*\* ```ts\n([\s\S]*?)\n\s*\* ```/g)].map(([, block = ""]) => ({
    file,
    code: block.replaceAll(/^\s*\* ?/gm, ""),
  }));
}

it("every example of a docstring compiles", () => {
  const examples = listShippedSources().flatMap(examplesOf);
  const texts = examples.map(({ code }) => {
    const [imports, body] = [/^import .*$/gm, /^(?!import ).*$/gm].map((line) => code.match(line) ?? []);
    return [...(imports ?? []), GIVEN, "{", ...(body ?? []), "}", "return undefined;", "}"].join("\n");
  });
  const faults = compile(texts, { allowUnused: true })
    .map((findings, index) => ({ ...examples[index], findings: findings.flatMap(({ lines }) => lines) }))
    .filter(({ findings }) => findings.length > 0);

  expect(faults).toEqual([]);
  expect(examples.length).toBeGreaterThan(30);
});

/** Files of `packages/core/src` with the methods that programs and tests call. */
const CALLED = [
  "client/admin.ts",
  "client/admin-reads.ts",
  "client/client.ts",
  "client/limits.ts",
  "client/schedules/schedules.ts",
  "define/key-values.ts",
  "define/orchestration-context.ts",
  "define/saga.ts",
  "define/showing-status.ts",
  "define/stream.ts",
  "define/time-and-chance.ts",
  "runtime/runtime.ts",
  "testing/environment/test-environment.ts",
  "testing/environment/test-run.ts",
];

const METHOD = /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\n {2}(?:static )?(?:async )?\*?(\w+)[<(]/gm;

it.each(CALLED)("every method of %s that has a description has an example", (file) => {
  const methods = [...read(`packages/core/src/${file}`).matchAll(METHOD)];
  const shown = methods.filter(([, description = ""]) => description.includes("@example"));
  // One example serves all signatures of a name.
  const names = new Set(["constructor", ...shown.map(([, , name]) => name)]);
  expect(methods.map(([, , name]) => name).filter((name) => !names.has(name))).toEqual([]);
});
