/** `GET /instances/:id/…`: what an instance has stored. */
import { json } from "@duroxide-ts/core/web";
import { wholeNumberOf } from "../request/parameters.ts";
import { unlessOver, waitMs, whileWanted } from "../request/waiting.ts";
import { type Call, visibleHandle } from "./call.ts";
import { exactAnswer } from "./exact-answer.ts";
import { existing } from "./instance.ts";
import { checkServesStore } from "./store-call.ts";

export async function progress(call: Call): Promise<Response> {
  return json(await visibleHandle(call).progress());
}

/** A list of pairs: members of an object have no order, and some names mean something. */
export async function entries(call: Call): Promise<Response> {
  await existing(call);
  return json([...(await visibleHandle(call).entries())]);
}

/** 204 for a key without an entry, after the wait that the address asks for. */
export async function entry(call: Call): Promise<Response> {
  await existing(call);
  const key = call.segments[1] ?? "";
  const now = await visibleHandle(call).get(key);
  const found = now === undefined ? await awaited(call, key) : now;
  return found === undefined ? new Response(null, { status: 204 }) : json(found);
}

async function awaited(call: Call, key: string): Promise<unknown> {
  const { request, url, settings } = call;
  const timeout = waitMs(url) ?? 0;
  if (timeout === 0) return undefined;
  return whileWanted(request, settings.stopping, (signal) =>
    visibleHandle(call).waitFor(key, { timeout, signal }).catch(unlessOver),
  );
}

export async function stats(call: Call): Promise<Response> {
  await existing(call);
  const found = await visibleHandle(call).stats();
  return found === undefined ? new Response(null, { status: 204 }) : json(found);
}

export async function streams(call: Call): Promise<Response> {
  await existing(call);
  return json(await visibleHandle(call).streams());
}

/** It has the inputs of activities and children, which are not made for callers: only where the store is served as a whole. */
export async function history(call: Call): Promise<Response> {
  checkServesStore(call);
  await existing(call);
  return exactAnswer(await visibleHandle(call).history(wholeNumberOf(call.url, "execution", 1)));
}
