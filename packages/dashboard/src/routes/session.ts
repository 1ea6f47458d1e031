/** `GET /api/session`: who is signed in, and what this server offers. */
import { OPERATOR_VERBS } from "@duroxide-ts/core/operate";
import type { Session } from "../page/shapes/session.ts";
import { VERBS } from "../source/verbs.ts";
import type { ReadRoute } from "./route.ts";

export const session: ReadRoute = {
  path: "session",
  async read({ source, user }): Promise<Session> {
    return {
      ...user,
      readOnly: source.readOnly,
      title: source.title,
      redacts: source.redacts,
      costs: source.costs,
      verbs: source.readOnly || user.role === "viewer" ? [] : VERBS,
      words: OPERATOR_VERBS,
      nowMs: source.clock.now(),
    };
  },
};
