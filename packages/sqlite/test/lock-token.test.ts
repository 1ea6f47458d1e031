/** Lock tokens contain the key of their row; a changed token is invalid. */
import {
  ack,
  activity,
  fetchWork,
  mustFetch,
  mustFetchWork,
  startItem,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect } from "vitest";
import { inMemory } from "./support/fixture.ts";

const LOST = { name: "ProviderError", code: "lock-lost" };

/** Tokens that look like this one and are not. */
function forged(token: string): readonly string[] {
  const [key, instant, secret] = token.split(".");
  return [
    "",
    "x",
    "1.1.",
    `${key}.${instant}.0`,
    `${key}.${instant}.00000000-0000-0000-0000-000000000000`,
    `99.${instant}.${secret}`,
    `99.${instant}.${token}`,
  ];
}

inMemory("the token of a turn is of no use when it was tampered with", async (store) => {
  const { provider } = store;
  await provider.enqueueForOrchestrator(startItem("i"));
  const fetched = await mustFetch(store);
  for (const lockToken of forged(fetched.lockToken)) {
    await expect(ack(store, { ...fetched, lockToken }), lockToken).rejects.toMatchObject(LOST);
    await expect(provider.abandonOrchestrationItem(lockToken), lockToken).rejects.toMatchObject(LOST);
    await expect(provider.renewOrchestrationItemLock(lockToken, 1_000), lockToken).rejects.toMatchObject(
      LOST,
    );
  }
  await ack(store, fetched);
});

inMemory("the token of an activity is of no use when it was tampered with", async (store) => {
  const { provider } = store;
  await provider.enqueueForWorker(activity("i", 1));
  const fetched = await mustFetchWork(store);
  for (const token of forged(fetched.lockToken)) {
    await expect(provider.ackWorkItem(token), token).rejects.toMatchObject(LOST);
    await expect(provider.abandonWorkItem(token), token).rejects.toMatchObject(LOST);
    await expect(provider.renewWorkItemLock(token, 1_000), token).rejects.toMatchObject(LOST);
  }
  await provider.ackWorkItem(fetched.lockToken);
  expect(await fetchWork(store)).toBeUndefined();
});
