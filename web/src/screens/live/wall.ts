import { NOT_UNDERSTOOD } from '../../parts/spoken-text.ts';

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
  /** The person asked for a human, and nobody of the workspace has talked with them since. */
  readonly isPersonWanted: boolean;
  /** So many lines of the person in a row were not understood. */
  readonly missed: number;
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
  isPersonWanted: false,
  missed: 0,
  spokeAt: null,
  isEnded: false,
};
const SHOWN_LINES = 2;

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

/** How many lines of the person in a row were not understood, after this one. */
const missedAfter = (missed: number, { speaker, text }: WallLine): number =>
  speaker === 'agent' ? missed : text === NOT_UNDERSTOOD ? missed + 1 : 0;

const wordsOf = ({ role, text, author }: Line): WallLine => ({
  speaker: role === 'agent' ? 'agent' : 'caller',
  text,
  ...(author === undefined ? {} : { author }),
});

/** A member who takes the call over, or a guest, is the person that was asked for. */
function noticed(call: WallCall, code: string): WallCall {
  switch (code) {
    case 'TAKEN_OVER':
      return { ...call, isTaken: true, isPersonWanted: false, missed: 0, open: null, heard: QUIET };
    case 'HANDED_BACK':
      return { ...call, isTaken: false, isPersonWanted: false };
    case 'ASKED_FOR_PERSON':
      return { ...call, isPersonWanted: true };
    case 'GUEST_JOINED':
    case 'TRANSFERRED':
      return { ...call, isPersonWanted: false };
    default:
      return call;
  }
}

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
        missed: missedAfter(call.missed, said),
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
      return noticed(call, event.code ?? '');
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
