import { normal, words } from '@callwright/language';
import { clipped, type Detector } from './alarm.ts';
import type { Story, StorySound } from './story.ts';
import { asksAgain, asksForTime, isExcuse, isFixed, isNoTurn, isQuestion } from './words.ts';

/** As often the agent may say one sentence. */
const MOST_TIMES = 2;
const LEAST_WORDS = 3;

/** What happened between two sentences of the agent. */
function between({ caller }: Story, from: number, to: number): readonly StorySound[] {
  return caller.filter((sound) => sound.text !== '' && sound.from >= from && sound.from < to);
}

/** The caller wanted to hear it again, or said nothing at all. */
const isWanted = (story: Story, heard: readonly StorySound[]): boolean =>
  heard.every((sound) => isNoTurn(story, sound) || asksForTime(story, sound)) ||
  heard.some((sound) => asksAgain(story, sound));

/** The agent says one sentence again and again. */
export const loop: Detector = (story) => {
  const times = new Map<string, number>();
  const last = new Map<string, StorySound>();
  for (const sound of story.agent) {
    const said = normal(sound.text);
    if (words(said).length < LEAST_WORDS || isFixed(story, sound.text)) continue;
    const before = last.get(said);
    last.set(said, sound);
    const isNew =
      before === undefined || before.cut || isWanted(story, between(story, before.from, sound.from));
    const count = (times.get(said) ?? 0) + (isNew && before !== undefined ? 0 : 1);
    times.set(said, count);
    if (count > MOST_TIMES) return { at: sound.from, detail: `${count} times “${clipped(sound.text)}”` };
  }
  return null;
};

/** The agent asks what the caller has answered, without saying that it did not understand. */
export const repeatedQuestion: Detector = (story) => {
  const { agent } = story;
  for (const [at, sound] of agent.entries()) {
    if (!isQuestion(sound.text) || isFixed(story, sound.text)) continue;
    const said = normal(sound.text);
    const earlier = agent.slice(0, at).findLastIndex(({ text }) => normal(text) === said);
    const before = agent[earlier];
    if (before === undefined || before.cut) continue;
    const answered = between(story, before.to, sound.from);
    const explains = agent.slice(earlier + 1, at).some(({ text }) => isExcuse(story, text));
    if (explains || isWanted(story, answered)) continue;
    return {
      at: sound.from,
      detail: `“${clipped(sound.text)}” after “${clipped(answered.at(-1)?.text ?? '')}”`,
    };
  }
  return null;
};
