import type { EndReason, TurnEvent, TurnSettings } from '@callwright/turns';
import type { LineRefusal } from '../../domain/rehearsals/caller-lines.ts';
import type { SpeechKind } from '../caller/state.ts';

/** A sound of one side; times are ms after the answer. */
export interface AgentSound {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The caller heard only a part. */
  readonly cut: boolean;
}
export interface CallerSound {
  readonly text: string;
  readonly kind: SpeechKind | 'greeting' | 'machine';
  readonly from: number;
  readonly to: number;
}
export interface PlayedTool {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly ok: boolean;
  readonly at: number;
  readonly ms: number;
}

/** The lines of a caller whose words come from a model. */
export interface PlayedLines {
  readonly byModel: number;
  /** Where the words of the rules stood in; times are ms after the answer. */
  readonly refused: readonly { readonly at: number; readonly reason: LineRefusal }[];
}

/** One call that a rehearsal has played. */
export interface PlayedCall {
  readonly seed: number;
  readonly settings: TurnSettings;
  /** Everything that entered the turn machine: the same seed gives the same events to the last bit. */
  readonly events: readonly TurnEvent[];
  readonly agent: readonly AgentSound[];
  readonly caller: readonly CallerSound[];
  readonly tools: readonly PlayedTool[];
  /** Absent: rules worded every line. */
  readonly lines?: PlayedLines;
  /** Null: the limit of the scenario came first. */
  readonly end: { readonly reason: EndReason; readonly at: number } | null;
  /** Why the call could not be played; null: it was. */
  readonly failure: string | null;
}
