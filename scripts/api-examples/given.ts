/** Names that examples of docstrings, and blocks of pages without a program of their own, use without a definition. */

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  "@duroxide-ts/core": [
    "activity",
    "type Admin",
    "Client",
    "event",
    "type InstanceHandle",
    "isCallFailure",
    "key",
    "orchestration",
    "type OrchestrationContext",
    "type Provider",
    "question",
    "queue",
    "Runtime",
    "schedule",
    "stream",
  ],
  "@duroxide-ts/core/codecs": ["encryptedCodec"],
  "@duroxide-ts/core/offload": ["azureBlobStore", "type BlobContainer", "fileBlobStore", "withOffload"],
  "@duroxide-ts/core/testing": ["TestEnvironment", "type TestRun", "VirtualClock"],
  "@duroxide-ts/cosmos": ["CosmosProvider"],
  "@duroxide-ts/cosmos/document-leases": ["type DocumentLeases"],
  "@duroxide-ts/dashboard": [
    "type DashboardHandler",
    "dashboard",
    "healthHandler",
    "metricsHandler",
    "PrometheusMeter",
    "startDashboard",
    "toNodeHandler",
  ],
  "@duroxide-ts/sqlite": ["SqliteProvider"],
  "@azure/core-auth": ["type TokenCredential"],
  hono: ["Hono"],
};

const DECLARATIONS = `
import * as z from "zod";

// Of @azure/identity and @azure/storage-blob, which are not installed.
declare const DefaultAzureCredential: new () => TokenCredential;
declare const ContainerClient: new (url: string, credential: TokenCredential) => BlobContainer;

interface Order { id: string; cents: number }
declare function pay(cents: number, options?: { idempotencyKey: string; signal: AbortSignal }): Promise<string>;
declare function userOf(request: Request): { user: string; role: "viewer" | "operator" } | undefined;
declare function authorize(): { user: string; role: "viewer" };
declare const handler: DashboardHandler;
declare const app: Hono;
declare const connectionString: string;
declare const holder: string;
declare const leases: DocumentLeases;
declare const document: { id: string };
declare function makeOffer(document: object): Promise<string>;
declare function sessionOf(request: Request): Promise<{ email: string; groups: string[] } | undefined>;
const charge = activity("charge", async (_ctx, order: Order) => pay(order.cents));
const checkout = orchestration("checkout", async (ctx, order: Order) => ctx.scheduleActivity(charge, order));
const approved = event<{ by: string }>("approved", { keep: true });
const lines = queue<{ sku: string }>("lines");
const total = key<number>("total");
const tokens = stream<string>("tokens");
const price = question<{ currency: string }, number>("price");
const orchestrations = [checkout];
const activities = [charge];
`;

const PARAMETERS: Readonly<Record<string, string>> = {
  admin: "Admin",
  client: "Client",
  ctx: "OrchestrationContext",
  env: "TestEnvironment",
  handle: "InstanceHandle<string>",
  order: "Order",
  orders: "Order[]",
  provider: "Provider",
  request: "Request",
  run: "TestRun<string>",
};

/** Returns what stands before the code: its imports, then what is given, less what the code imports itself. */
export function headOf(imports: readonly string[]): string {
  const own = new Set(imports.join("\n").match(/\b[\w$]+\b/g));
  const given = Object.entries(IMPORTS).map(([module, names]) => {
    const needed = names.filter((name) => !own.has(name.replace("type ", "")));
    return `import { ${needed.join(", ")} } from "${module}";`;
  });
  const parameters = Object.entries(PARAMETERS).filter(([name]) => !own.has(name));
  const list = parameters.map(([name, type]) => `${name}: ${type}`).join(", ");
  return [...imports, ...given, DECLARATIONS, `export async function example(${list}) {`, "{\n"].join("\n");
}

export const TAIL = "\n}\nreturn undefined;\n}\n";
