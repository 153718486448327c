/** A tool that a turn called, as the record keeps it. */
export interface ToolUse {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly ok: boolean;
  readonly ms: number;
}
