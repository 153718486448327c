import type { KnowledgeItem } from '../../shared/knowledge/knowledge-index.ts';
import type { Language } from '@callwright/language';
import type { Target } from '../../voice/flow/engine/state.ts';
import type { Flow } from '../../voice/flow/document.ts';
import type { WayJudge } from './way-judge.ts';
import type { VendorFault } from '../../shared/vendor-fault.ts';
import type { Ears, Expected, HistoryItem, KeyWait } from '@callwright/turns';

/** Tokens of one reply; null: the model did not report them. */
export interface ModelUsage {
  readonly vendor: string;
  readonly model: string;
  /** All of the prompt, those read from the vendor's cache included. */
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
}

/** Who gave a reply. */
export interface Replier {
  readonly vendor: string;
  readonly model: string | null;
  /** False: another engine than the first of the agent's models, because that one failed. */
  readonly isFirst: boolean;
  /** The agent that took the conversation over; absent: its first one. */
  readonly agent?: { readonly id: string; readonly name: string };
}

export type LlmEvent =
  /**
   * `isPiece`: the text is spoken at once and as a whole, because its audio exists. `step`: of a flow, with a voice or a rule for
   * interruptions of its own.
   */
  | { type: 'delta'; text: string; isPiece?: true; by?: Replier; step?: string }
  /** `isByCaller`: of the end of the conversation, when the caller takes leave. */
  | { type: 'tool'; id: string; name: string; args: Record<string, unknown>; isByCaller?: true }
  /**
   * The reply is whole. `memory` is opaque to the conversation and comes back with the next request once this
   * reply has become part of the call; `expected` describes the caller's likely next answer. `usage`: absent for a brain
   * on this machine. `by`: who replies, of a chain; absent: the provider that was asked. `steps`: transitions of a flow with
   * their reasons, for the event log. `onSilence`: it replies when the caller is silent for the check-in time. `mayHandTo`: agents
   * that may take the conversation over next. `summarises`: what its model shall summarise, for the history of the step.
   */
  | {
      type: 'done';
      memory: unknown;
      expected: Expected | null;
      onSilence?: true;
      usage?: ModelUsage;
      by?: Replier;
      steps?: readonly string[];
      mayHandTo?: readonly string[];
      summarises?: readonly HistoryItem[];
    }
  /** Another model replies from here on; `message` says why, without keys. */
  | { type: 'switched'; message: string; fault?: VendorFault }
  /** `fault`: what went wrong at the vendor; absent: the brain runs on this machine. */
  | { type: 'failed'; message: string; retryable: boolean; fault?: VendorFault };

/** The flow of an agent, and the zone of the days that its callers name. */
export interface FlowOfAgent {
  readonly document: Flow;
  readonly zone: string;
  /** The prompt leads, and the flow only hands over: the caller answers the first message. */
  readonly isPrompt?: true;
}

/** The agent as the brain sees it, variables rendered. */
export interface BrainContext {
  language: Language;
  secondaryLanguage: Language | null;
  /** The whole prompt, sections joined. */
  prompt: string;
  /** The same for a language model: values of variables are marked as data (`markedValue`). */
  instructions: string;
  sections: readonly { title: string; content: string }[];
  introMessage: string;
  agentName: string;
  variables: Readonly<Record<string, string>>;
  /** Variables of the prompt without a value, which `instructions` name as unknown. */
  unknown?: readonly { readonly name: string; readonly setByTool: boolean }[];
  /** False where speech in this language cannot be recognised: answers come by keypad. */
  understandsSpeech: boolean;
  /** True where only the expected phrases are recognised, not free speech. */
  onlyPhrases?: boolean;
  tools: readonly ToolSpec[];
  /** Passages of the agent's knowledge bases, most relevant first. */
  knowledge?: readonly KnowledgeItem[];
  callDirection: 'outbound' | 'inbound' | 'webcall';
  /** `text`: a chat, whose words are read and typed. Absent: a call. */
  channel?: 'text';
  /**
   * The step of a flow that the model leads, where it may go on, and the tools that it may call there (null: all). Absent:
   * the prompt is all there is.
   */
  step?: {
    readonly prompt: string;
    readonly targets: readonly Target[];
    readonly tools: readonly string[] | null;
  };
  /** The conversation follows it. Absent: the prompt. */
  flow?: FlowOfAgent;
  /** Its flow may hand the conversation over to other agents. */
  handsOver?: true;
  /** The name of the agent to which the conversation goes back when this one is done. Absent: it ends. */
  returnsTo?: string;
  /** When no model answers: `script`, the brain of this machine replies. Absent: the reply fails, and the agent apologises. */
  onModelFailure?: 'script';
  /** Sampling parameters; null: the provider's default. */
  sampling?: { temperature: number | null; maxTokens: number | null };
}

export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Where the tool runs; absent: a built-in tool, known by its name. */
  kind?: 'remote' | 'send_keys' | 'wait_for_keys' | 'transfer';
  /** Timeout. */
  timeoutMs?: number;
  /** Fixed digits to send; absent: the model chooses. */
  digits?: string;
  /** Ends the wait for keys: this many digits, or the `end` key. */
  keys?: KeyWait;
  /** Parameters that may get the caller's sensitive keys. */
  sensitive?: readonly string[];
  /** Variables its result may set. */
  sets?: readonly string[];
}

export interface LlmRequest {
  readonly history: readonly HistoryItem[];
  readonly memory: unknown;
  readonly signal: AbortSignal;
  /** Items of the history from before this agent took the conversation over; absent: none. */
  readonly earlier?: number;
  /** Called for what the vendor charges beside the reply: at its abort, with estimated tokens, and for a summary. */
  readonly onCancelled?: (usage: ModelUsage) => void;
}

export interface LlmSession {
  /** The expected answer to the first message, if the brain knows it. */
  readonly expectsFirst?: Expected;
  /** Who calls and why, in one or two sentences, for a screening service or a mailbox, if the brain knows it. */
  readonly introduces?: string;
  /** It words the check-in on a silent caller: the history of such a request ends with a silence. */
  readonly checksIn?: true;
  /** Starts a reply to `history`. Aborting `signal` stops it; no event follows an abort. */
  reply(request: LlmRequest, onEvent: (event: LlmEvent) => void): void;
  /** Its model summarises a conversation; an empty text: it failed. Absent: it has no model, or hands nothing over. */
  summarise?(
    history: readonly HistoryItem[],
    signal: AbortSignal,
    onDone: (text: string, usage: ModelUsage | null) => void,
  ): void;
  /** The summary that it is writing: null: none, or it failed. Absent: it writes none. */
  summary?(): Promise<string | null>;
  /** Another recogniser hears the call from now on. */
  hears?(ears: Ears): void;
  close(): void;
}

/** The models of steps of a flow, by the names that the steps have for them. */
export type StepLlms = ReadonlyMap<string, LlmProvider>;

export interface LlmProvider {
  readonly name: string;
  /** Of the brain of this machine: what judges a flow's `when` by meaning. Absent: examples alone do. */
  readonly ways?: WayJudge;
  /** Of a vendor. */
  readonly model?: string;
  open(context: BrainContext): LlmSession;
  /** A call rings: connects to the vendor ahead of its first reply. */
  warm?(): void;
  close(): Promise<void>;
}
