/** The fleet on this machine: a local endpoint of Cosmos DB, two processes, and forty orders. */
import { runFleet, summary } from "./fleet.ts";

console.log(summary(await runFleet(40)));
