/** The program of a `HangingWorker`. */
import { OurWorker } from "./our-worker.ts";
import { activities, greet, orchestrations, relay, relayThat } from "./programs.ts";

const [endpoint = "", key = "", database = "", container = "", hangsIn = ""] = process.argv.slice(2);

/** A turn is synchronous code: nothing else happens in this process from now on. */
const hangingRelay = relayThat(() => {
  process.send?.("hangs");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});

const hangingGreet = greet.mock(() => {
  process.send?.("hangs");
  return new Promise(() => {});
});

// It ends with its parent, because no other process kills it.
process.once("disconnect", () => process.exit());

await OurWorker.serve(
  { endpoint, key, database, container },
  {
    orchestrations: hangsIn === "relay" ? [hangingRelay] : orchestrations.filter((each) => each === relay),
    activities: hangsIn === "greet" ? [hangingGreet] : activities,
    // A fused turn would hang before the end of the first step is stored, and Rust would run that step again.
    maxFusedActivities: 0,
  },
);
process.send?.("serves");
