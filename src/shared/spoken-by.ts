import type { FaultKind } from './vendor-fault.ts';
import type { LineSource } from '@callwright/turns';

/** The engines that give replies. `apology`: no model answered, so the agent said a fixed sentence. */
export const ENGINES = ['model', 'script', 'apology'] as const;
export type Engine = (typeof ENGINES)[number];

/** What went wrong at a language model while it was asked for a reply. */
export interface ReplyFault {
  readonly vendor: string;
  readonly kind: FaultKind;
  /** HTTP status; null: the fault is none of HTTP. */
  readonly status: number | null;
  readonly message: string;
  /** `switched`: another engine replied. `failed`: none did. */
  readonly effect: 'switched' | 'failed';
  /** Epoch ms. */
  readonly at: number;
}

/** Who gave the reply of a turn. */
export interface SpokenBy extends LineSource {
  readonly faults: readonly ReplyFault[];
}
export const NO_ENGINE: SpokenBy = {
  engine: null,
  vendor: null,
  model: null,
  isFallback: false,
  faults: [],
};

/** The name of the script engine among the language models. */
export const SCRIPT_ENGINE = 'offline';
export const engineOf = (vendor: string): Engine => (vendor === SCRIPT_ENGINE ? 'script' : 'model');

/** The source of a reply by the engine that gave it; `isFirst`: it is the first of the agent's models. */
export function sourceOf(by: {
  readonly vendor: string;
  readonly model: string | null;
  readonly isFirst: boolean;
  readonly agent?: { readonly id: string; readonly name: string };
}): LineSource {
  const engine = engineOf(by.vendor);
  const named = engine === 'model' ? { vendor: by.vendor, model: by.model } : { vendor: null, model: null };
  const { agent } = by;
  return { engine, ...named, isFallback: !by.isFirst, ...(agent === undefined ? {} : { agent }) };
}
