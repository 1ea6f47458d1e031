/**
 * Durable agents with the AI SDK.
 *
 * @module @duroxide-ts/ai
 */

// What an agent shows
export type {
  AgentPart,
  AgentStream,
  ApprovalPart,
  DecisionPart,
  FinishPart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolEndPart,
} from "./agent-part.ts";
// Approvals
export { type Approval, approval, type Decision } from "./approval.ts";
// Budgets
export { type Amounts, type Budget, BudgetError, type Spent, spent } from "./budget.ts";
// Calls of models
export { type DurableCallsOptions, durableCalls } from "./durable-calls.ts";
// Tools
export { type DurableToolsOptions, durableTools, stepOf } from "./durable-tools.ts";
// Tools of the Model Context Protocol
export { type McpClient, type McpServer, type McpTool, type McpTools, mcpServer } from "./mcp-server.ts";
export type { ModelUsage } from "./sdk-types.ts";
