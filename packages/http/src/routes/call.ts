/** A request whose sender may make it, and the parts of its address. */
import type { InstanceHandle } from "@duroxide-ts/core";
import type { User } from "@duroxide-ts/core/web";
import type { Settings } from "../http-options.ts";

export interface Call {
  readonly request: Request;
  readonly url: URL;
  readonly settings: Settings;
  readonly user: User;
  /** Decoded segments of the path below the base that the route leaves open. */
  readonly segments: readonly string[];
}

/** Answers a call. */
export type Answer = (call: Call) => Promise<Response>;

/** Name of the orchestration of a handle; a handle without schemas has no use for it. */
const ANY = "any";

export function instanceIdOf({ segments: [instanceId = ""] }: Call): string {
  return instanceId;
}

/** A handle that reads what may be seen. */
export function visibleHandle(call: Call): InstanceHandle<unknown> {
  return call.settings.visible.handle(ANY, instanceIdOf(call));
}

/** A handle that changes. */
export function actingHandle(call: Call): InstanceHandle<unknown> {
  return call.settings.client.handle(ANY, instanceIdOf(call));
}
