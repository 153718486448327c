import { clipped, inSeconds, type Detector } from './alarm.ts';
import type { Story } from './story.ts';
import { asksForTime, isListening, isNoTurn, stretches } from './words.ts';

/** After the caller's words the agent is heard within this. */
const REPLY_MS = 4_000;
/** Beyond its check-in time the agent does not leave a silence. */
const CHECK_IN_MS = 4_000;
/** Somebody speaks within this after the answer. */
const START_MS = 6_000;
const MONOLOGUE_MS = 30_000;
const BREATH_MS = 1_500;
/** Both talk for this long, when the agent began over the caller, and when the caller began over the agent. */
const BEGINS_MS = 1_000;
const GOES_ON_MS = 1_500;
/** Sooner after the caller, the agent has not heard it yet. */
const UNHEARD_MS = 200;

const isWaiting = ({ keys, holds }: Story, from: number, to: number): boolean =>
  keys.some((at) => at >= from && at <= to) || holds.some((hold) => hold.from < to && hold.to > from);

/** The caller spoke and heard nothing, or nobody spoke and the agent did not ask. */
export const deadAir: Detector = (story) => {
  const { agent, caller, settings, end } = story;
  const sounds = [
    ...agent.map((sound) => ({ sound, isAgent: true })),
    ...caller.map((sound) => ({ sound, isAgent: false })),
  ].toSorted((a, b) => a.sound.from - b.sound.from);
  const [first] = sounds;
  if (first !== undefined && first.sound.from > START_MS)
    return { at: 0, detail: `nobody spoke for the first ${inSeconds(first.sound.from)}` };
  let quiet: (typeof sounds)[number] | null = null;
  const tooLong = (until: number): ReturnType<Detector> => {
    if (quiet === null) return null;
    const { sound, isAgent } = quiet;
    const ms = until - sound.to;
    if (isWaiting(story, sound.to, until)) return null;
    if (isAgent) {
      const most = settings.idleWarningMs + CHECK_IN_MS;
      const isLate = settings.idleWarningMs > 0 && ms > most;
      return isLate ? { at: sound.to, detail: `nobody spoke for ${inSeconds(ms)}` } : null;
    }
    if (ms <= REPLY_MS || isListening(story, sound) || asksForTime(story, sound)) return null;
    return { at: sound.to, detail: `${inSeconds(ms)} without a word after “${clipped(sound.text)}”` };
  };
  for (const each of sounds) {
    // A pause before the caller's own next words is the caller's.
    const isOwn = quiet !== null && !quiet.isAgent && !each.isAgent;
    const found = isOwn ? null : tooLong(each.sound.from);
    if (found !== null) return found;
    if (quiet === null || each.sound.to >= quiet.sound.to) quiet = each;
  }
  return end === null ? null : tooLong(end.at);
};

/** The agent talks without letting the caller speak. */
export const longMonologue: Detector = ({ agent, caller }) => {
  const turns = caller.filter(({ text }) => text !== '');
  for (const { from, to } of stretches(agent, BREATH_MS)) {
    const breaks = turns.filter((turn) => turn.from > from && turn.from < to).map((turn) => turn.from);
    const edges = [from, ...breaks, to];
    const longest = Math.max(...edges.slice(1).map((edge, at) => edge - edges[at]!));
    if (longest > MONOLOGUE_MS) return { at: from, detail: `the agent spoke for ${inSeconds(longest)}` };
  }
  return null;
};

/** Both speak at once, and the agent does not give way. */
export const talkOver: Detector = (story) => {
  const turns = story.caller.filter((sound) => !isNoTurn(story, sound));
  for (const speech of stretches(story.agent, UNHEARD_MS))
    for (const turn of turns) {
      const begins = speech.from > turn.from + UNHEARD_MS && speech.from < turn.to;
      const goesOn = turn.from >= speech.from && turn.from < speech.to;
      if (!begins && !goesOn) continue;
      const both = Math.min(speech.to, turn.to) - Math.max(speech.from, turn.from);
      if (both >= (begins ? BEGINS_MS : GOES_ON_MS))
        return {
          at: Math.max(speech.from, turn.from),
          detail: `${inSeconds(both)} over “${clipped(turn.text)}”`,
        };
    }
  return null;
};
