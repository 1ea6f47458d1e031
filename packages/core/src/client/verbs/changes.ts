/** The changes of one instance by hand. */
export { restart } from "./restart.ts";
export { retry, rewind } from "./retry.ts";
export { resume, suspend } from "./suspend.ts";
export { terminate } from "./terminate.ts";
