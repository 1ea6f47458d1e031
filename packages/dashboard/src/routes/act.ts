/** `POST /api/act`: an action on one instance that needs nothing but a reason; `force` deletes also what runs. */
import { Refused } from "../http/answers.ts";
import { flagIn, optionalTextIn, textIn } from "../http/read-body.ts";
import { isPlain, perform } from "../source/verbs.ts";
import type { ActRoute } from "./route.ts";

export const act: ActRoute = {
  path: "act",
  async act({ source, user, body }): Promise<object> {
    const verb = textIn(body, "verb");
    if (!isPlain(verb)) throw new Refused(400, "invalid-input", `there is no action "${verb}"`);
    const reason = optionalTextIn(body, "reason") ?? "";
    await perform(source, verb, textIn(body, "id"), {
      user: user.user,
      reason,
      force: flagIn(body, "force"),
    });
    return {};
  },
};
