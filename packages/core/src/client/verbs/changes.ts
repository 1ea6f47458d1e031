/** The changes by hand. */
export { forEachInstance } from "./for-each-instance.ts";
export { redeliver } from "./redeliver.ts";
export { changeDeadLetter, deleteMany, deleteOne, pruneMany, pruneOne } from "./removals.ts";
export { restart } from "./restart.ts";
export { retry, rewind } from "./retry.ts";
export { resume, suspend } from "./suspend.ts";
export { terminate } from "./terminate.ts";
