/** A program that connects to the container that its environment names. */
import { CosmosProvider } from "@duroxide-ts/cosmos";

const provider = await CosmosProvider.fromEnvironment();
await provider.close();
process.stdout.write("connected\n");
