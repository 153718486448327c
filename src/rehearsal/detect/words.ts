import { hasPhrase, intentOf, normal, phrasesOf } from '@callwright/language';
import type { Story, StorySound } from './story.ts';

const isOneOf = (text: string, list: readonly string[] = []): boolean => {
  const said = normal(text);
  return list.some((phrase) => normal(phrase) === said);
};

/** Words that only listen or say goodbye. Right after a question of the agent they answer it. */
export const isListening = (story: Story, sound: StorySound): boolean =>
  isShort(story, sound, [story.settings.backchannels, story.settings.farewells]);

/** The same, and words that pick up the phone. */
export const isNoTurn = (story: Story, sound: StorySound): boolean =>
  isListening(story, sound) || isShort(story, sound, [story.settings.greetings]);

function isShort(
  { agent }: Story,
  { text, from }: StorySound,
  lists: readonly (readonly string[] | undefined)[],
): boolean {
  if (normal(text) === '') return true;
  if (!lists.some((list) => isOneOf(text, list))) return false;
  const before = agent.findLast((each) => each.from < from);
  return before === undefined || before.to > from || !isQuestion(before.text);
}

/** The caller asks the agent to wait, or to repeat. */
export function asksForTime({ settings }: Story, { text }: StorySound): boolean {
  const said = normal(text);
  return (settings.waits ?? []).some((phrase) => hasPhrase(said, normal(phrase)));
}
export function asksAgain({ settings }: Story, { text }: StorySound): boolean {
  const said = normal(text);
  const table = phrasesOf(settings.language);
  const intent = intentOf(said, table);
  if (intent === 'repeat' || intent === 'hold' || intent === 'what') return true;
  return table.unsure.some((phrase) => hasPhrase(said, normal(phrase)));
}

/** Sentences that the turn machine says itself, in every call. */
export function isFixed({ settings }: Story, text: string): boolean {
  const { otherMoments = [], ...phrases } = settings.phrases;
  return isOneOf(text, [...Object.values(phrases), ...otherMoments]);
}

/** Those that say why a question is asked again. */
export const isExcuse = ({ settings }: Story, text: string): boolean => {
  const { didNotCatch, apology, idleCheckIn } = settings.phrases;
  return isOneOf(text, [didNotCatch, apology, idleCheckIn]);
};

export const isQuestion = (text: string): boolean => /[?？؟]["'”’]?\s*$/u.test(text);

/** Stretches of speech without a longer pause. */
export function stretches(sounds: readonly StorySound[], pauseMs: number): StorySound[] {
  const joined: StorySound[] = [];
  for (const sound of sounds) {
    const before = joined.at(-1);
    if (before === undefined || sound.from - before.to > pauseMs) joined.push(sound);
    else
      joined[joined.length - 1] = {
        text: `${before.text} ${sound.text}`.trim(),
        from: before.from,
        to: Math.max(before.to, sound.to),
        cut: sound.cut,
      };
  }
  return joined;
}
