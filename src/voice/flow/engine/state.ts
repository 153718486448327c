import type { FlowMove } from '../../../shared/flow-moves.ts';
import type { CallerLine } from '@callwright/language';
import type { Expected } from '@callwright/turns';
import type { FlowEdge } from '../document.ts';
import type { Value } from '../expression.ts';

/** Where a conversation stands in its flow. Data: it is stored with the conversation between two replies. */
export interface FlowState {
  /** The node that waits for the caller or for a tool; null: the flow has not begun. */
  readonly at: string | null;
  readonly isOver: boolean;
  readonly values: Readonly<Record<string, Value>>;
  /** Questions of the present node without an answer; of a talk: answers of the caller. */
  readonly tries: number;
  /** The value that the caller is asked to confirm, as it is read back, and the words that it was found in. */
  readonly verifying: { readonly value: Value; readonly spoken: string; readonly said: string } | null;
  /** Transitions so far, and tools since the caller's last words. */
  readonly moves: number;
  readonly tools: number;
  /** How often the conversation went on at `stuck`. */
  readonly stucks: number;
  /** Silences that took an edge since the caller's last words. */
  readonly silences: number;
  /** What the edge to this talk leaves its model to read; null: the talk itself says it. */
  readonly reads: Pick<FlowEdge, 'to' | 'context' | 'forget'> | null;
  /** Questions that a global node interrupted, the latest last. */
  readonly back: readonly string[];
  /** Tasks that a talk has started, as `talk/task`: without a model it starts each once. */
  readonly tasks?: readonly string[];
  /** The caller has heard that speech is not understood. */
  readonly isExplained: boolean;
}

/** The way that the caller's words mean at a node, by a model of meanings. */
export interface Meant {
  readonly node: string;
  readonly to: string;
  /** How alike the meanings are, at most 1. */
  readonly alike: number;
}

/** What the caller may answer by: `hears` false: keys alone. `at`: epoch ms. */
interface Happened {
  readonly at: number;
  readonly hears: boolean;
  /** Values that tools have set since the last event. */
  readonly variables: Readonly<Record<string, string>>;
}
export type FlowEvent = Happened &
  (
    | /** The agent has the floor for the first time; `line`: what the caller has said already. */
      { readonly type: 'start'; readonly line: CallerLine | null; readonly meant?: Meant }
    | { readonly type: 'caller'; readonly line: CallerLine; readonly meant?: Meant }
    /** The caller spoke, and no word was recognised. */
    | { readonly type: 'unclear' }
    /** A reply is wanted without words of the caller: the question is asked again. */
    | { readonly type: 'again' }
    /** The caller has said nothing for the check-in time. */
    | { readonly type: 'silence' }
    /** `isBack`: the agent that had the conversation gives it back. */
    | { readonly type: 'tool'; readonly isOk: boolean; readonly isBack?: true }
    /** The model of a talk has spoken. `to`: the target that it chose; `isOver`: it has no more to say. */
    | {
        readonly type: 'spoke';
        readonly to: string | null;
        readonly isOver: boolean;
        /** What the caller said before, in which a task finds its value. */
        readonly line?: CallerLine;
      }
  );

/** Where the model of a talk may go on, and when. */
export interface Target {
  readonly to: string;
  readonly when: string;
  readonly examples: readonly string[];
}

/** The agent that a handoff names, and what its model may read of the conversation. */
export interface Handover {
  readonly agentId: string;
  /** Lines that it reads from before; null: all. */
  readonly earlier: number | null;
  /** In their place it reads a summary. */
  readonly isSummary: boolean;
  readonly isSilent: boolean;
  /** It gives the conversation back when it is done. */
  readonly comesBack: boolean;
  /** Nodes of which it reads nothing. */
  readonly forget: readonly string[];
  readonly values: Readonly<Record<string, Value>>;
}

export type FlowEffect =
  | { readonly type: 'say'; readonly text: string }
  /** The caller has the floor. */
  | { readonly type: 'expect'; readonly expected: Expected }
  | { readonly type: 'tool'; readonly name: string; readonly args: Readonly<Record<string, Value>> }
  /** Another agent goes on; the result is a tool's. */
  | ({ readonly type: 'hand_over' } & Handover)
  /** The model leads, by the prompt of this node and with its targets as tools. */
  | {
      readonly type: 'model';
      readonly node: string;
      readonly prompt: string;
      readonly targets: readonly Target[];
      /** Lines that it reads from before the node; null: all. */
      readonly earlier: number | null;
      /** In their place it reads a summary. */
      readonly isSummary: boolean;
      /** Nodes of which it reads nothing. */
      readonly forget: readonly string[];
      /** The tools that it may call, and the knowledge bases that it may search; null: those of the agent. */
      readonly tools: readonly string[] | null;
      readonly knowledge: readonly string[] | null;
      /** The name of its model; null: that of the agent. */
      readonly model: string | null;
    }
  | { readonly type: 'opt_out' }
  /** `isByCaller`: who takes leave of everybody. */
  | { readonly type: 'end'; readonly isByCaller?: true }
  | ({ readonly type: 'moved' } & FlowMove);

export const NEW_FLOW: FlowState = {
  at: null,
  isOver: false,
  values: {},
  tries: 0,
  verifying: null,
  moves: 0,
  tools: 0,
  stucks: 0,
  silences: 0,
  reads: null,
  back: [],
  isExplained: false,
};

/** Transitions without a word of the agent, transitions of a conversation, tools and silences between two answers. */
export const STEP_LIMITS = { silent: 20, moves: 200, tools: 5, stucks: 3, silences: 3, back: 5 } as const;
