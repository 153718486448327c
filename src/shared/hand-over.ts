/** The built-in tool by which an agent hands a conversation over to another one. Flows call it; models do not see it. */
export const HAND_OVER = 'hand_over';

/** The status in its result when the other agent goes on. */
export const HANDED_OVER = 'handed_over';

/** The status in its result when the conversation has come back to an agent that had it before. */
export const CAME_BACK = 'came_back';

export const hasStatus = (result: unknown, status: string): boolean =>
  typeof result === 'object' && result !== null && 'status' in result && result.status === status;

/** Its arguments, as history, tool log and events have them. */
export interface HandOverArgs {
  readonly agent_id: string;
  /** The other agent gives the conversation back when it is done. */
  readonly back?: true;
  /** Lines that the other agent reads from before; absent: all. */
  readonly earlier?: number;
  /** Parts of the history that it does not read: from an item up to another one. */
  readonly left_out?: readonly (readonly [from: number, until: number])[];
  /** What the other agent reads in place of these lines, unless a model writes a better one. */
  readonly summary?: string;
  /** The other agent does not say its first message. */
  readonly silent?: true;
  /** Values that the other agent gets, by the names of its variables. */
  readonly variables?: Readonly<Record<string, string | number | boolean>>;
}

/** Its arguments when an agent gives the conversation back. */
export interface GiveBackArgs {
  readonly comes_back: true;
  /** Absent: to the first agent. */
  readonly agent_id?: string;
  readonly variables?: HandOverArgs['variables'];
}

/** A model's summary of the conversation before a handover, as a note of its history. */
const SUMMARY_NOTE = 'Summary of the conversation before the handover: ';
export const summaryNote = (text: string): string => SUMMARY_NOTE + text;
export const isSummaryNote = (text: string): boolean => text.startsWith(SUMMARY_NOTE);

/** The same before a step of a flow that a model leads. */
const STEP_NOTE = 'Summary of the conversation before this step: ';
export const stepNote = (text: string): string => STEP_NOTE + text;
export const isStepNote = (text: string): boolean => text.startsWith(STEP_NOTE);

/** A history without some of its parts. */
export const withoutParts = <T>(items: readonly T[], parts: HandOverArgs['left_out'] = []): readonly T[] =>
  items.filter((_item, at) => !parts.some(([from, until]) => at >= from && at < until));
