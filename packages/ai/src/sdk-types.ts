/** Types of the AI SDK's model interface, taken from the one type that `ai` exports for it. */
import type { LanguageModelMiddleware } from "ai";

type Generate = NonNullable<LanguageModelMiddleware["wrapGenerate"]>;
type Stream = NonNullable<LanguageModelMiddleware["wrapStream"]>;

/** A call of a model, as middleware gets it. */
export type ModelCall = Parameters<Generate>[0];
/** Result of a call. */
export type GenerateResult = Awaited<ReturnType<Generate>>;
export type StreamResult = Awaited<ReturnType<Stream>>;
export type ModelPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;
export type ModelContent = GenerateResult["content"][number];
/** Tokens of a call, as its provider reports them. */
export type ModelUsage = GenerateResult["usage"];
