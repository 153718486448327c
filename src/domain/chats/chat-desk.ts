import type { FlowMove } from '../../shared/flow-moves.ts';
import type { TemplateSource } from './template-source.ts';
import type { ToolUse } from '../../store/json/chat.ts';
import type { ReplyFault, SpokenBy } from '../../shared/spoken-by.ts';
import type { ChangeEntry } from '../audit/change-entry.ts';
import type { ToolOutcome } from '../tools/run-api-tool.ts';

/** One turn of a chat: the customer's message, null for the agent's first words, and what the agent did. */
export interface ChatTurn {
  readonly message: string | null;
  readonly said: readonly string[];
  readonly tools: readonly ToolUse[];
  readonly usage: readonly {
    readonly vendor: string;
    /** Null: the vendor has one model only. */
    readonly model: string | null;
    readonly inputTokens: number | null;
    readonly cachedTokens: number | null;
    readonly outputTokens: number | null;
    /** Of voice messages that a recogniser heard; absent: none. */
    readonly audioMs?: number;
  }[];
  /** Moves of the agent's flow in this turn. */
  readonly steps: readonly FlowMove[];
  readonly optedOut: boolean;
  readonly spokenBy: SpokenBy;
  readonly end: string | null;
  readonly ms: number;
}

export interface TestInput {
  readonly agentId: string;
  readonly versionId: string | null;
  /** A test run to continue; null: a new one, which begins with the agent's first message. */
  readonly sessionId: string | null;
  readonly messages: readonly string[];
  readonly args: Readonly<Record<string, string>>;
  /** False: API tools and MCP servers are not called. */
  readonly runsTools: boolean;
  /** When no model answers: the run ends as `error`, or the script engine replies. */
  readonly onModelFailure: 'error' | 'script';
}

export interface TestRun {
  readonly sessionId: string;
  readonly agentId: string;
  readonly versionId: string;
  readonly turns: readonly ChatTurn[];
  /** `error`: no model answered, which says nothing about the agent. */
  readonly state: 'open' | 'closed' | 'error';
  /** Why it is `error`. */
  readonly error: { readonly message: string; readonly fault: ReplyFault | null } | null;
  readonly variables: Readonly<Record<string, string>>;
  /** The brain's own notes; opaque. */
  readonly memory: unknown;
}

export interface ToolTestInput {
  readonly agentId: string;
  readonly versionId: string | null;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, string>>;
}

/** What the API needs of the chats that run in this process. */
export interface ChatDesk {
  /** Throws 404 for an unknown agent, version or test run, 409 while the same test run answers another request. */
  testAgent(workspaceId: string, change: ChangeEntry | null, input: TestInput): Promise<TestRun>;
  /** Sends a tool's real request. Throws 404 for an unknown agent, version or tool, 400 for a tool without a request. */
  testTool(workspaceId: string, input: ToolTestInput): Promise<ToolOutcome & { readonly ms: number }>;
  /** The templates of WhatsApp Business accounts. */
  readonly templates: TemplateSource;
  /** Wakes the worker that answers chats; losing a wake costs one poll interval. */
  kick(): void;
}
