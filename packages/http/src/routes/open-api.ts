/** `GET /openapi.json`: the routes as OpenAPI 3.1, with a path for each orchestration. */
import type { AnyOrchestration } from "@duroxide-ts/core";
import { inputSchemaOf, json } from "@duroxide-ts/core/web";
import { baseOf } from "../request/links.ts";
import type { Call } from "./call.ts";
import { schemaWithRefs } from "./json-schema.ts";
import { INSTANCE_PATHS, type Json, REFUSALS, SCHEMAS, STARTED, STORE_PATHS } from "./open-api-parts.ts";

export async function openApi({ request, url, settings }: Call): Promise<Response> {
  const { orchestrations, basePath, admin } = settings;
  const names = [...new Set(orchestrations.map(({ name }) => name))];
  const inputs = names.map((name) => inputOf(orchestrations.filter((one) => one.name === name)));
  const keys = names.map((name, index) => keyOf(name, index, names));
  const paths = names.map((name, index) => [
    `/${encodeURIComponent(name)}`,
    startPath(name, keys[index] ?? "", inputs[index] !== undefined),
  ]);
  const schemas = inputs.flatMap((schema, index) => {
    const key = `${keys[index]}.input`;
    return schema === undefined ? [] : [[key, schemaWithRefs(schema, `#/components/schemas/${key}`)]];
  });
  return json({
    openapi: "3.1.0",
    info: { title: "Orchestrations", version: "1" },
    servers: [{ url: baseOf(request, url, basePath) }],
    paths: { ...Object.fromEntries(paths), ...INSTANCE_PATHS, ...(admin && STORE_PATHS) },
    components: { schemas: { ...SCHEMAS, ...Object.fromEntries(schemas) } },
  });
}

/** Versions may take different inputs; `undefined` where one of them does not say what it takes. */
function inputOf(versions: readonly AnyOrchestration[]): object | undefined {
  const schemas = versions.map(inputSchemaOf);
  if (!schemas.every(isSchema)) return undefined;
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

function isSchema(schema: unknown): schema is object {
  return typeof schema === "object" && schema !== null;
}

/** A name of components has few characters. */
function keyOf(name: string, index: number, names: readonly string[]): string {
  const key = plain(name);
  return names.findIndex((other) => plain(other) === key) === index ? key : `${key}.${index}`;
}

function plain(name: string): string {
  return name.replaceAll(/[^\w.-]/g, "_");
}

function startPath(name: string, key: string, hasSchema: boolean): Json {
  const schema = hasSchema ? { $ref: `#/components/schemas/${key}.input` } : {};
  return {
    post: {
      operationId: `start.${key}`,
      summary: `Starts ${name}`,
      parameters: [IDEMPOTENCY_KEY],
      requestBody: { content: { "application/json": { schema } } },
      responses: { 202: STARTED, ...REFUSALS },
    },
  };
}

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  description: "Id of the instance. A repetition starts nothing.",
  schema: { type: "string" },
};
