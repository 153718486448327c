import { hasPhrase, normal } from '@callwright/language';
import { draw, pick } from '../draw.ts';
import type { CallerAnswer, Habit } from '../scenario/document.ts';
import { habitWords } from './habit-words.ts';
import type { CallerSettings, CallerState, Piece } from './state.ts';

/** Pauses inside a turn, ms: between letters, and before the caller takes something back. */
const SPELLING = { least: 150, more: 350 } as const;
const RETRACTING = { least: 200, more: 250 } as const;

/** The answer of the persona to what the agent said: the one whose words came last, of two the longer ones; null: none fits. */
export function answerTo({ persona }: CallerSettings, said: string): CallerAnswer | null {
  const text = normal(said, MOST_CHARS);
  let found: { readonly answer: CallerAnswer; readonly end: number; readonly length: number } | null = null;
  for (const answer of persona.answers ?? []) {
    for (const phrase of answer.asked) {
      const form = normal(phrase);
      if (!hasPhrase(text, form)) continue;
      const { length } = form;
      const end = text.lastIndexOf(form) + length;
      if (found === null || end > found.end || (end === found.end && length > found.length))
        found = { answer, end, length };
    }
  }
  return found?.answer ?? null;
}
const MOST_CHARS = 5_000;

/** Whether a habit shows at this place of the call. */
export const shows = ({ persona, seed }: CallerSettings, habit: Habit, at: number): boolean =>
  draw(seed, 'habit', habit, at) < (persona.habits?.[habit] ?? 0);

/** The words of an answer in one turn, as the habits of the caller make them. */
export function wordsOf(
  { settings, turns: turn, answered }: Pick<CallerState, 'settings' | 'turns' | 'answered'>,
  answer: CallerAnswer,
): Piece[] {
  const { seed, language } = settings;
  const said = variant(
    answered.includes(answer) ? (answer.again ?? answer.says) : answer.says,
    settings,
    turn,
  );
  if (answer.instead !== undefined && shows(settings, 'changes_mind', turn)) {
    const pauseMs = between(RETRACTING, seed, 'retract', turn);
    return [
      { text: answer.instead, pauseMs: 0 },
      { text: `${habitWords(language).retract} ${said}`, pauseMs },
    ];
  }
  if (answer.spelt !== undefined && shows(settings, 'spells', turn))
    return answer.spelt
      .split(/\s+/u)
      .filter((part) => part !== '')
      .map((text, at) => ({ text, pauseMs: at === 0 ? 0 : between(SPELLING, seed, 'letter', turn, at) }));
  return [{ text: said, pauseMs: 0 }];
}

export const variant = (says: string | readonly string[], { seed }: CallerSettings, turn: number): string =>
  typeof says === 'string' ? says : pick(says, seed, 'variant', turn);

export const between = (
  { least, more }: { readonly least: number; readonly more: number },
  seed: number,
  ...key: readonly (string | number)[]
): number => Math.round(least + more * draw(seed, ...key));
