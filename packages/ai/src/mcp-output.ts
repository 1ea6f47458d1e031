/** Results of tools of the Model Context Protocol, as models get them. */
import type { ToolSet } from "ai";

type ModelOutput = Awaited<ReturnType<NonNullable<ToolSet[string]["toModelOutput"]>>>;

/** Texts and images as they are; everything else as JSON text. */
export function mcpOutput(output: unknown): ModelOutput {
  if (typeof output === "string") return { type: "text", value: output };
  const { content } = (output ?? {}) as { readonly content?: unknown };
  if (!Array.isArray(content)) return { type: "text", value: JSON.stringify(output) };
  return { type: "content", value: content.map(modelPart) };
}

type Content = Extract<ModelOutput, { type: "content" }>["value"][number];

function modelPart(part: { readonly type?: unknown; readonly [name: string]: unknown }): Content {
  const { type, text, data, mimeType } = part;
  if (type === "text" && typeof text === "string") return { type: "text", text };
  if (type === "image" && typeof data === "string" && typeof mimeType === "string")
    return { type: "file", mediaType: mimeType, data: { type: "data", data } };
  return { type: "text", text: JSON.stringify(part) };
}
