/** The verbs that change instances, which are given by their ids or by a filter. */
import { CHANGE, type Flags, RECORD, RECORD_ON_STDERR } from "../command/flags.ts";
import { recordingIfAsked } from "../command/record.ts";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import type { OpenStore } from "../store/open-store.ts";
import { type Change, changeEach } from "./change-each.ts";
import { readTargets, TARGET_FLAGS, type Targets } from "./targets.ts";

type Common = typeof TARGET_FLAGS & typeof RECORD & typeof CHANGE;

interface ChangingVerb<Own extends Flags> extends Omit<Verb, "takes" | "flags" | "run"> {
  /** Flags beside those of all such verbs. */
  readonly flags: Own;
  /** Whether the store has no place for who and why. */
  readonly recordsOnStderr?: true;
  /** Checks the flags before the store is opened, and returns what is done to its instances. */
  plan(call: Call<Own & Common>): (store: OpenStore, targets: Targets) => Change;
}

export function changingVerb<Own extends Flags>(verb: ChangingVerb<Own>): Verb {
  const { flags, recordsOnStderr = false, plan, ...described } = verb;
  return defineVerb<Common>({
    ...described,
    takes: "<id…> | - | <filter>",
    flags: {
      ...TARGET_FLAGS,
      ...flags,
      ...(recordsOnStderr ? RECORD_ON_STDERR : RECORD),
      ...CHANGE,
    } as Common,
    async run(call) {
      const change = plan(call as Call<Own & Common>);
      const logger = recordsOnStderr ? recordingIfAsked(call.terminal, call.flags) : undefined;
      const store = await call.store("write", logger);
      const targets = await readTargets(store, verb.name, call);
      return changeEach(call, targets, change(store, targets));
    },
  });
}
