/** Words of the verbs of operators, and the states that they fit. */
import { expect, it } from "vitest";
import { OPERATOR_VERBS } from "../../src/operate/index.ts";

it("What has not ended, and waits for its time or its limit, can be suspended", () => {
  expect(OPERATOR_VERBS.suspend.fits).toEqual(["running", "scheduled", "waiting-for-limit", "blocked"]);
});
