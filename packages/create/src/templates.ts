/** The templates: folders beside the sources, and one with the files that every project gets. */
import path from "node:path";

export interface Template {
  readonly name: string;
  readonly description: string;
}

export const TEMPLATES: readonly Template[] = [
  { name: "script", description: "a program on one SQLite file" },
  { name: "http", description: "an HTTP service with Hono, the dashboard and a Dockerfile" },
  { name: "agent", description: "an agent with the AI SDK, whose model calls and tools survive a crash" },
  {
    name: "fleet",
    description: "two processes on Azure Cosmos DB, on a local endpoint, with Bicep for Azure",
  },
];

export const TEMPLATES_FOLDER: string = path.resolve(import.meta.dirname, "../templates");
export const COMMON_FOLDER: string = path.resolve(import.meta.dirname, "../common");
