export interface Line {
  readonly speaker: 'agent' | 'caller';
  readonly text: string;
  /** Seconds from the start of the recording; null: unknown. */
  readonly second: number | null;
  /** Keys that the person pressed, instead of words. */
  readonly isKeys?: true;
  /** The agent that took the call over and speaks, or the member whose words the line has. */
  readonly agent?: string;
}

/** Who gave each line, in order. `author`: a member of the workspace. */
type Replies = readonly {
  readonly agent: { readonly agent_name: string } | null;
  readonly author?: string;
}[];

/** The lines of `transcription_url`, which is JSON text, with the agents and members of `replies`; what is no line is left out. */
export function readTranscript(json: string | null, replies: Replies | null = null): Line[] {
  if (json === null || json === '') return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return [];
  }
  if (!Array.isArray(parsed)) return [];
  return (parsed as Record<string, unknown>[]).flatMap((entry, at): Line[] => {
    const { bot, user, by, audio_offset_ms: offset } = entry;
    const second = typeof offset === 'number' ? offset / 1000 : null;
    const reply = replies?.[at];
    const name = reply?.author ?? reply?.agent?.agent_name;
    if (typeof bot === 'string')
      return [{ speaker: 'agent', text: bot, second, ...(name === undefined ? {} : { agent: name }) }];
    if (typeof user === 'string')
      return [{ speaker: 'caller', text: user, second, ...(by === 'keypad' ? { isKeys: true } : {}) }];
    return [];
  });
}

/** The stretch of the recording from one line to the next. */
export interface Region {
  readonly speaker: Line['speaker'];
  readonly from: number;
  readonly to: number;
}

/** The stretches of lines whose second is known; the last one ends with the recording. */
export function regionsOf(lines: readonly Line[], length: number): Region[] {
  const timed = lines.flatMap(({ speaker, second }) => (second === null ? [] : [{ speaker, from: second }]));
  return timed
    .map((line, index) => ({ ...line, to: timed[index + 1]?.from ?? length }))
    .filter(({ from, to }) => from < to);
}

/** The line that is spoken at `second`: the last one that has begun. */
export function spokenAt(lines: readonly Line[], second: number): number {
  return lines.findLastIndex((line) => line.second !== null && line.second <= second);
}
