/** One SIP message of an attempt: method or status, and what it says about the outcome. */
export interface LadderStep {
  /** Epoch ms. */
  readonly at: number;
  readonly direction: 'in' | 'out';
  /** `INVITE`, or `200 INVITE` for a response. */
  readonly what: string;
  readonly note: string;
}

const LINE = /^(-?\d{1,15})([<>])([^\t]{1,60})\t(.*)$/;

/** The stored form: epoch ms of the first message, then a line for each: offset, direction, message, tab, note. */
export function writeLadder(steps: readonly LadderStep[]): string | null {
  const [first] = steps;
  if (first === undefined) return null;
  const start = Math.round(first.at);
  const lines = steps.map(
    ({ at, direction, what, note }) =>
      `${Math.round(at) - start}${direction === 'in' ? '<' : '>'}${what}\t${note}`,
  );
  return [start, ...lines].join('\n');
}

/** Reads the stored form; null: none was stored. */
export function readLadder(text: string | null): LadderStep[] {
  if (text === null) return [];
  const [start = '', ...lines] = text.split('\n');
  return lines.flatMap((line) => {
    const [, offset, arrow, what, note] = LINE.exec(line) ?? [];
    if (offset === undefined || what === undefined) return [];
    const at = Number(start) + Number(offset);
    return [{ at, direction: arrow === '<' ? ('in' as const) : ('out' as const), what, note: note ?? '' }];
  });
}
