/** The first process on an account creates what is missing. */
import type { CosmosProvider } from "@duroxide-ts/cosmos";
import { start } from "../../support/plan.ts";
import { connect, type Stage } from "../../support/stage.ts";
import { type Operation, operation } from "../operation.ts";

/** Opening waits between two attempts, and the virtual clock stands still unless the test moves it. */
async function connectInTime({ place, clock, trap }: Stage): Promise<CosmosProvider> {
  const connecting = connect(place, clock, trap);
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  connecting.then(settle, settle);
  while (!isSettled) await clock.advance(1);
  return connecting;
}

export const opening: readonly Operation[] = [
  operation({
    name: "creation of the container",
    prepare: async (stage) => {
      await stage.raw.delete();
    },
    async act(stage) {
      const provider = await connectInTime(stage);
      await provider.close();
    },
    repeat: ({ provider }) => provider.enqueueForOrchestrator(start("a")),
  }),
];
