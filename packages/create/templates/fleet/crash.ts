/** Kills one of the two processes while the orders run: the other one finishes them. */
import { runFleet, summary } from "./src/fleet.ts";

const outcomes = await runFleet(40, ([, second]) => {
  second?.kill("SIGKILL");
  console.log(
    `killed process ${second?.pid}: what it was doing is done again, when its locks end after 30 s`,
  );
});
console.log(summary(outcomes));
