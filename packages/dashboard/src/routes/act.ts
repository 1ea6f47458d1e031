/** `POST /api/act`: an action on one instance that needs nothing but a reason; `force` deletes also what runs. */
import { Refused } from "@duroxide-ts/core/web";
import { flagIn, textIn } from "../http/read-body.ts";
import { isPlain, perform } from "../source/verbs.ts";
import { type ActRoute, actOf } from "./route.ts";

export const act: ActRoute = {
  path: "act",
  async act(call): Promise<object> {
    const { source, body } = call;
    const verb = textIn(body, "verb");
    if (!isPlain(verb)) throw new Refused(400, "invalid-input", `there is no action "${verb}"`);
    await perform(source, verb, textIn(body, "id"), { ...actOf(call), force: flagIn(body, "force") });
    return {};
  },
};
