type Speaker = 'agent' | 'caller';

/** Words on a card: a line of the conversation, or one that is still being said. */
export interface WallLine {
  readonly speaker: Speaker;
  readonly text: string;
  /** The member of the workspace whose words these are. */
  readonly author?: string;
}

/** What the stream says about one live call. */
export interface WallCall {
  /** The sub-status of the call; null: not said yet. */
  readonly state: string | null;
  /** The last lines, the oldest first. */
  readonly lines: readonly WallLine[];
  /** The line that is being said; null: none. */
  readonly open: WallLine | null;
  /** How often words of the line that each side is saying have come; 0: the side says nothing. */
  readonly heard: Readonly<Record<Speaker, number>>;
  /** Somebody talks in the assistant's place. */
  readonly isTaken: boolean;
  /** When the last words came, epoch ms; null: none. */
  readonly spokeAt: number | null;
  readonly isEnded: boolean;
}

/** The live calls by id. */
export type Wall = ReadonlyMap<string, WallCall>;

/** Neither side speaks. */
export const QUIET: WallCall['heard'] = { agent: 0, caller: 0 };
const UNHEARD: WallCall = {
  state: null,
  lines: [],
  open: null,
  heard: QUIET,
  isTaken: false,
  spokeAt: null,
  isEnded: false,
};
const SHOWN_LINES = 2;
/** Milliseconds: a pause of both sides that a reader should see. */
export const SILENT_MS = 8_000;

interface Line {
  readonly role: string;
  readonly text: string;
  readonly author?: string;
  readonly endedAt?: number;
}
interface Event {
  readonly type?: string;
  readonly call_id?: string | null;
  readonly sub_status?: string;
  readonly code?: string;
  readonly role?: string;
  readonly text?: string;
  readonly at?: number;
  readonly line?: Line;
}

const wordsOf = ({ role, text, author }: Line): WallLine => ({
  speaker: role === 'agent' ? 'agent' : 'caller',
  text,
  ...(author === undefined ? {} : { author }),
});

function after(call: WallCall, event: Event): WallCall {
  switch (event.type ?? '') {
    case 'status':
      return { ...call, state: event.sub_status ?? call.state };
    case 'line': {
      const { line } = event;
      if (line === undefined) return call;
      const said = wordsOf(line);
      return {
        ...call,
        lines: [...call.lines, said].slice(-SHOWN_LINES),
        open: call.open?.speaker === said.speaker ? null : call.open,
        heard: { ...call.heard, [said.speaker]: 0 },
        spokeAt: line.endedAt ?? call.spokeAt,
      };
    }
    case 'words': {
      const { role = '', text = '', at } = event;
      const open = wordsOf({ role, text });
      const heard = { ...call.heard, [open.speaker]: call.heard[open.speaker] + 1 };
      return { ...call, open, heard, spokeAt: at ?? call.spokeAt };
    }
    case 'notice':
      if (event.code === 'TAKEN_OVER') return { ...call, isTaken: true, open: null, heard: QUIET };
      return event.code === 'HANDED_BACK' ? { ...call, isTaken: false } : call;
    case 'ended':
      return { ...call, isEnded: true, open: null, heard: QUIET };
    default:
      return call;
  }
}

/** The wall after these events of the stream, which begins anew with `begun`. */
export function withEvents(wall: Wall, events: readonly unknown[]): Wall {
  if (events.length === 0) return wall;
  let next = new Map(wall);
  for (const each of events) {
    const event = each as Event;
    if (event.type === 'begun') next = new Map();
    const id = event.call_id;
    if (id != null) next.set(id, after(next.get(id) ?? UNHEARD, event));
  }
  return next;
}

/** Whether nobody has said anything for a while: the assistant may need help. */
const isSilent = (call: WallCall | undefined, nowMs: number): boolean =>
  call !== undefined &&
  !call.isEnded &&
  call.open === null &&
  call.spokeAt !== null &&
  nowMs - call.spokeAt >= SILENT_MS;

/** The calls that need somebody before the others, both in the order that they had. */
export function needyFirst<Call extends { readonly call_id: string }>(
  calls: readonly Call[],
  wall: Wall,
  nowMs: number,
): readonly Call[] {
  const isNeedy = ({ call_id: id }: Call): boolean => isSilent(wall.get(id), nowMs);
  return [...calls.filter(isNeedy), ...calls.filter((call) => !isNeedy(call))];
}
