/** A local endpoint in a process of its own. Tells its parent where it listens, and ends with it. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

const { endpoint, key } = await CosmosEmulator.start({ port: 0 });
process.once("disconnect", () => process.exit());
process.send?.({ endpoint, key });
