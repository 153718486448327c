import type { JsonObject } from '../../store/schema.ts';

/** One use of a tool, as the call's record keeps it. */
export interface ToolLogEntry {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly result: unknown;
  /** Epoch ms. */
  readonly at: number;
  readonly ms?: number;
  readonly ok?: boolean;
  readonly phase?: 'pre_call' | 'on_call' | 'post_call';
  /** Variables it set. */
  readonly variables?: Readonly<Record<string, string>>;
}

export const asJson = (entries: readonly ToolLogEntry[]): readonly JsonObject[] =>
  entries as unknown as readonly JsonObject[];
