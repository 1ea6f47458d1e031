/** The session, for every part that offers actions. */
import { type Context, createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Session, Verb, VerbInfo } from "../shapes/session.ts";

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

const NO_WORDS: Omit<VerbInfo, "label"> = { explains: "", isDangerous: false, needsReason: false, fits: [] };

/** The words of each action. */
export function useWords(): (verb: Verb) => VerbInfo {
  const { words } = useSession();
  return (verb) => words[verb] ?? { label: verb, ...NO_WORDS };
}

/** Whether the user may do this here. */
export function useMay(): (verb: Verb) => boolean {
  const { verbs } = useSession();
  return (verb) => verbs.includes(verb);
}
