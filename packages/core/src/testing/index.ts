/** What tests of orchestrations and of providers need. */

export { VirtualClock } from "./virtual-clock.ts";
