import { digitsIn } from '@callwright/language';
import { clipped, type Detector } from './alarm.ts';
import type { StorySound } from './story.ts';

const LEAST_DIGITS = 4;
/** As many digits may be wrong, missing or too many; a number that differs more is another one. */
const MOST_WRONG = 2;

/** The agent repeats a number that is nearly the one that the caller said. */
export const misheardNumber: Detector = ({ agent, caller }) => {
  let said: StorySound[] = [];
  const sounds = [
    ...agent.map((sound) => ({ sound, isAgent: true })),
    ...caller.map((sound) => ({ sound, isAgent: false })),
  ].toSorted((a, b) => a.sound.from - b.sound.from);
  let isAfterAgent = true;
  for (const { sound, isAgent } of sounds) {
    if (!isAgent) {
      if (isAfterAgent) said = [];
      isAfterAgent = false;
      said.push(sound);
      continue;
    }
    isAfterAgent = true;
    const ours = digitsIn(sound.text) ?? '';
    if (ours.length < LEAST_DIGITS) continue;
    // A number may be said in one breath or in several.
    const texts = [...said.map(({ text }) => text), said.map(({ text }) => text).join(' ')];
    const theirs = texts.map((text) => digitsIn(text) ?? '').filter(({ length }) => length >= LEAST_DIGITS);
    if (theirs.some((each) => each.includes(ours) || ours.includes(each))) continue;
    const near = theirs.find(
      (each) => Math.abs(each.length - ours.length) <= 1 && distance(each, ours) <= MOST_WRONG,
    );
    if (near !== undefined)
      return {
        at: sound.from,
        detail: `${near.length} digits were said, and “${clipped(sound.text)}” has others`,
      };
  }
  return null;
};

/** Insertions, deletions and replacements from one text to another. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]!;
}
