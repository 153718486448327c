import { initialState, step, type EndReason, type TurnEvent, type TurnSettings } from '@callwright/turns';

/** A sound of one side, with its words; times are ms after the answer. `cut`: of the agent, heard only in part. */
export interface StorySound {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly cut: boolean;
}

/** What happened in a call, as detectors read it. */
export interface Story {
  readonly settings: TurnSettings;
  readonly agent: readonly StorySound[];
  /** Sounds without recognised words have an empty text. */
  readonly caller: readonly StorySound[];
  readonly tools: readonly { readonly name: string; readonly at: number }[];
  /** Keys of the caller, and the times on hold. */
  readonly keys: readonly number[];
  readonly holds: readonly { readonly from: number; readonly to: number }[];
  readonly end: { readonly reason: EndReason; readonly at: number } | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Reads the events of a call, of a real one or of a rehearsal. */
export function storyOf(settings: TurnSettings, events: Iterable<TurnEvent>): Story {
  const agent: StorySound[] = [];
  const caller: Mutable<StorySound>[] = [];
  const tools: { name: string; at: number }[] = [];
  const keys: number[] = [];
  const holds: { from: number; to: number }[] = [];
  const texts = new Map<number, string>();
  let end: Story['end'] = null;
  let startedAt: number | null = null;
  let sounding: { readonly text: string; readonly from: number } | null = null;
  let heldSince: number | null = null;
  let state = initialState(settings);
  let last = 0;
  for (const event of events) {
    startedAt ??= event.at;
    const at = event.at - startedAt;
    last = at;
    const next = step(state, event);
    state = next.state;
    for (const effect of next.effects) {
      if (effect.type === 'speak') texts.set(effect.utteranceId, effect.text);
      else if (effect.type === 'tool') tools.push({ name: effect.name, at });
      else if (effect.type === 'hangup') end ??= { reason: effect.reason, at };
    }
    if (event.type === 'utterance_started') sounding = { text: texts.get(event.utteranceId) ?? '', from: at };
    else if (event.type === 'utterance_ended' || event.type === 'speaking_stopped') {
      if (sounding !== null) agent.push({ ...sounding, to: at, cut: event.type === 'speaking_stopped' });
      sounding = null;
    } else if (event.type === 'speech_started')
      caller.push({ text: '', from: event.since - startedAt, to: Number.POSITIVE_INFINITY, cut: false });
    else if (event.type === 'speech_stopped') {
      const open = caller.at(-1);
      if (open !== undefined) open.to = event.since - startedAt;
    } else if (event.type === 'final' || event.type === 'typed') addWords(caller, event.text, at);
    else if (event.type === 'dtmf') keys.push(at);
    else if (event.type === 'held') heldSince = at;
    else if (event.type === 'resumed') {
      if (heldSince !== null) holds.push({ from: heldSince, to: at });
      heldSince = null;
    } else if (event.type === 'remote_hangup') end ??= { reason: 'USER_LEFT', at };
  }
  const over = end?.at ?? last;
  if (sounding !== null) agent.push({ ...sounding, to: over, cut: true });
  if (heldSince !== null) holds.push({ from: heldSince, to: over });
  for (const sound of caller) sound.to = Math.min(sound.to, Math.max(sound.from, over));
  return { settings, agent, caller, tools, keys, holds, end };
}

/** Words belong to the sound before them; typed ones have none. */
function addWords(caller: Mutable<StorySound>[], text: string, at: number): void {
  const sound = caller.at(-1);
  if (sound === undefined || at - Math.min(sound.to, at) > LATE_WORDS_MS) {
    caller.push({ text, from: at, to: at, cut: false });
    return;
  }
  sound.text = sound.text === '' ? text : `${sound.text} ${text}`;
}

/** A recogniser's words come within this. */
const LATE_WORDS_MS = 4_000;
