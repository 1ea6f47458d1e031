/**
 * The checks of `node:util` for kinds of objects, of any realm. Where there is no Node, the tag of the object decides.
 */
import { builtin } from "./builtin.ts";
import { type Kinds, tags } from "./tags.ts";

export const types: Kinds = builtin("node:util")?.types ?? tags();
