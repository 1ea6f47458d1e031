/** The session, for every part that offers actions. */
import type { OperatorVerb, OperatorVerbInfo } from "@duroxide-ts/core/operate";
import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Session } from "../shapes/session.ts";

export const NO_SESSION: Session = {
  user: "",
  role: "viewer",
  readOnly: true,
  title: "",
  redacts: false,
  costs: false,
  verbs: [],
  words: {},
  nowMs: 0,
};

export const SessionContext: Context<Session> = createContext(NO_SESSION);

export function useSession(): Session {
  return useContext(SessionContext);
}

const NO_WORDS: Omit<OperatorVerbInfo, "label"> = {
  explains: "",
  isDangerous: false,
  needsReason: false,
  fits: [],
};

/** The words of each action. */
export function useWords(): (verb: OperatorVerb) => OperatorVerbInfo {
  const { words } = useSession();
  return (verb) => words[verb] ?? { label: verb, ...NO_WORDS };
}

/** Whether the user may do this here. */
export function useMay(): (verb: OperatorVerb) => boolean {
  const { verbs } = useSession();
  return (verb) => verbs.includes(verb);
}
