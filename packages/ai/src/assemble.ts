/**
 * Puts the parts of a streaming model together to the result that a call without streaming gives.
 *
 * - assemble.A1: A stream that ends without its `finish` part has broken off. It gives no result, so a partial text never
 *   becomes the durable answer.
 */
import type { GenerateResult, ModelContent, ModelPart } from "./sdk-types.ts";

type Block = Extract<ModelContent, { type: "text" | "reasoning" }>;

/** Collects the parts of one call. */
export class Assembly {
  readonly #content: ModelContent[] = [];
  /** Text and reasoning by the ids of the provider; a block stands in `#content` since its start. */
  readonly #blocks = new Map<string, Block>();
  #warnings: GenerateResult["warnings"] = [];
  #response: GenerateResult["response"];
  #finish: Extract<ModelPart, { type: "finish" }> | undefined;

  add(part: ModelPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#open(part.type === "text-start" ? "text" : "reasoning", part);
        return;
      case "text-delta":
      case "reasoning-delta":
        this.#change(part, part.delta);
        return;
      case "text-end":
      case "reasoning-end":
        this.#change(part, "");
        return;
      case "stream-start":
        this.#warnings = part.warnings;
        return;
      case "response-metadata": {
        const { type: _type, ...response } = part;
        this.#response = { ...this.#response, ...response };
        return;
      }
      case "finish":
        this.#finish = part;
        return;
      case "error":
        throw part.error;
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
      case "ping":
      case "raw":
        return;
      default:
        this.#content.push(part);
    }
  }

  /** The result. Throws if the stream has broken off (assemble.A1). */
  result(): GenerateResult {
    if (this.#finish === undefined)
      throw new Error("the model's stream ended before its answer was complete");
    const { usage, finishReason, providerMetadata } = this.#finish;
    return {
      content: this.#content,
      usage,
      finishReason,
      warnings: this.#warnings,
      ...(providerMetadata !== undefined && { providerMetadata }),
      ...(this.#response !== undefined && { response: this.#response }),
    };
  }

  #open(type: Block["type"], { id, providerMetadata }: Started): void {
    const block: Block = { type, text: "", ...(providerMetadata !== undefined && { providerMetadata }) };
    this.#blocks.set(`${type} ${id}`, block);
    this.#content.push(block);
  }

  #change(
    part: Extract<ModelPart, { type: `${"text" | "reasoning"}-${"delta" | "end"}` }>,
    delta: string,
  ): void {
    const type = part.type.startsWith("text") ? "text" : "reasoning";
    const block = this.#blocks.get(`${type} ${part.id}`);
    if (block === undefined) throw new Error(`the model's stream has a ${part.type} without a start`);
    block.text += delta;
    if (part.providerMetadata !== undefined) block.providerMetadata = part.providerMetadata;
    if (part.type === "text-end" && part.citations !== undefined && block.type === "text")
      block.citations = part.citations;
  }
}

type Started = Extract<ModelPart, { type: "text-start" | "reasoning-start" }>;
