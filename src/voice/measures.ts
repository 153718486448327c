import type { LineSource } from '@callwright/turns';

/** Measures of a conversation's recogniser, model and speaker. Plain data, stored in records and journals. */
export type Part = 'stt' | 'llm' | 'tts';

/** The engine of a part; `model` null: the vendor has a single model, or its name is unknown. */
export interface PartName {
  readonly vendor: string;
  readonly model: string | null;
}

/** Audio that a recogniser has received. */
export interface AudioUse extends PartName {
  readonly audioMs: number;
}

/** An agent of the workspace. */
export interface AgentName {
  readonly id: string;
  readonly name: string;
}

/** From `at` (epoch ms) on, this agent had the conversation. */
export interface HandedOver {
  readonly agent: AgentName;
  readonly at: number;
}

/** What a call used of one model. */
export interface VendorUse extends PartName {
  readonly part: Part;
  /** The agent that used it. Absent: the first agent of the call. */
  readonly agent?: AgentName;
  readonly audioMs: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly characters: number;
}

/** The engines of one turn and their usage, including replies that were prepared and dropped. */
export interface TurnMeasure {
  readonly turn: number;
  /** The engine of the reply. Absent: none, or a record of an earlier version. */
  readonly spokenBy?: LineSource;
  readonly stt: PartName | null;
  readonly llm: PartName | null;
  readonly tts: PartName | null;
  /** From the first sentence's request to its first audio; null: no audio came. */
  readonly firstAudioMs: number | null;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Characters sent to the speaker, and characters that the caller heard. */
  readonly characters: number;
  readonly heardCharacters: number;
  /** `startedAt` of the agent's lines in the transcript. */
  readonly lines: readonly number[];
}

export const NO_USE = {
  audioMs: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  characters: 0,
} as const;

export const sameName = (a: PartName, b: PartName): boolean => a.vendor === b.vendor && a.model === b.model;

/** Sums by model; those of `next` come last. */
export function addUses(before: readonly AudioUse[], next: readonly AudioUse[]): readonly AudioUse[] {
  const rest = before.filter((use) => !next.some((other) => sameName(use, other)));
  const sums = next.map((use) => {
    const past = before.find((other) => sameName(use, other))?.audioMs ?? 0;
    return { ...use, audioMs: use.audioMs + past };
  });
  return [...rest, ...sums];
}
