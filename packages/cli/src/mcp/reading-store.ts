/** The store of tools that look: with `redact` of the configuration it reads what may be shown. */
import { Client, jsonCodec } from "@duroxide-ts/core/client";
import { type RedactPayload, withRedaction } from "@duroxide-ts/core/stores";
import type { OpenStore } from "../store/open-store.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ShownPayloads } from "./shown-payloads.ts";
import type { ReadingStore } from "./tool.ts";

export function readingStore(
  opened: OpenStore,
  redact: RedactPayload | undefined,
  { logger, clock }: Terminal,
): ReadingStore {
  if (redact === undefined) {
    const { kind, identity, file, client, codec } = opened;
    return {
      kind,
      identity,
      ...(file !== undefined && { file }),
      // Over HTTP there is none, and asking for it throws.
      get provider() {
        return opened.provider;
      },
      client,
      codec,
      close: () => opened.close(),
      shown: new ShownPayloads(undefined),
    };
  }
  const { codec = jsonCodec } = opened;
  const provider = withRedaction(opened.provider, { redact, codec, logger, clock });
  const client = new Client(provider, { codec, logger, clock });
  return { ...opened, provider, client, shown: new ShownPayloads(codec) };
}
