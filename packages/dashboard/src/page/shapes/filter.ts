/** The filter of the list of instances as it stands in the address, for the page and for the server. */
import type { InstanceState } from "@duroxide-ts/core/operate";

/** Every condition is optional; they are combined with AND. */
export interface ListFilter {
  readonly state?: InstanceState;
  readonly name?: string;
  readonly version?: string;
  /** Conditions on tags, such as `tenant=acme priority>=2`. */
  readonly tags?: string;
  /** Name of the schedule whose runs they are. */
  readonly schedule?: string;
  /** Beginning of the id. */
  readonly prefix?: string;
  readonly parent?: string;
  /** "1": only instances without a parent. */
  readonly roots?: string;
  /** Started within this time, such as "1h". */
  readonly since?: string;
  /** Started before this time, such as "1d". */
  readonly older?: string;
  /** Changed within this time. */
  readonly updated?: string;
  /** Not changed within this time. */
  readonly idle?: string;
  /** A text in the message of the failure. */
  readonly error?: string;
  readonly category?: string;
}

export const FILTER_KEYS: readonly (keyof ListFilter)[] = [
  "state",
  "name",
  "version",
  "tags",
  "schedule",
  "prefix",
  "parent",
  "roots",
  "since",
  "older",
  "updated",
  "idle",
  "error",
  "category",
];

export const CATEGORIES = ["application", "configuration", "infrastructure", "poison"] as const;

export const ORDERS = ["created-desc", "created-asc", "updated-desc"] as const;
export type ListOrder = (typeof ORDERS)[number];

/** Parameters of the address of the page that are no conditions. */
const OTHERS: readonly string[] = ["order", "continuation", "waits"];

/**
 * The conditions of the address of the page. The server checks them; none is left out, not even one that nobody knows,
 * because an action on all that match would reach more than the address says.
 */
export function filterFrom(parameters: URLSearchParams): ListFilter {
  const entries = [...parameters].filter(([key, value]) => value !== "" && !OTHERS.includes(key));
  return Object.fromEntries(entries) as ListFilter;
}

export function filterToQuery(filter: ListFilter): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const key of FILTER_KEYS) {
    const value = filter[key];
    if (value !== undefined && value !== "") parameters.set(key, value);
  }
  return parameters;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "90s", "15m", "1h", "7d" in ms; `undefined` for anything else. */
export function spanMs(text: string | undefined): number | undefined {
  const [, digits = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text ?? "") ?? [];
  const factor = UNIT_MS[unit];
  return factor === undefined ? undefined : Number(digits) * factor;
}
