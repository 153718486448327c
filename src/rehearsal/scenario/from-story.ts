import { normal } from '@callwright/language';
import { detect } from '../detect/detect.ts';
import type { Story, StorySound } from '../detect/story.ts';
import { asksAgain, asksForTime, isNoTurn, isQuestion } from '../detect/words.ts';
import type { CallerAnswer, Scenario } from './document.ts';

const MOST_WORDS = 500;
const USUAL_REPLY_SECONDS = 4;
/** Habits are written in steps of a tenth. */
const STEP = 10;

export interface ScenarioFacts {
  readonly name: string;
  readonly agent?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * A scenario from a call: its caller answers the same sentences of the agent with the same words and has the habits that the call shows.
 * It expects what detectors missed in the call, and its end. Pure. The words are those of the person.
 */
export function scenarioOf(story: Story, { name, agent, variables }: ScenarioFacts): Scenario {
  const { settings, caller, end } = story;
  const turns = caller.filter((sound) => sound.text !== '' && !isNoTurn(story, sound));
  const answered = turns.filter((turn) => !asksForTime(story, turn) && !asksAgain(story, turn));
  const opening = answered.find((turn, at) => askedBefore(story, turn, answered[at - 1]) === null);
  const found = detect(story).map(({ detector }) => detector);
  const reason = end?.reason;
  return {
    name,
    ...(agent === undefined ? {} : { agent }),
    language: settings.language,
    tags: ['from a call'],
    ...(variables === undefined || Object.keys(variables).length === 0
      ? {}
      : { variables: { ...variables } }),
    persona: {
      goal: `What the caller wanted in ${name}`,
      answers: answersOf(story, answered),
      ...(opening === undefined ? {} : { opens: opening.text.slice(0, MOST_WORDS) }),
      habits: habitsOf(story, turns),
    },
    expect: [
      { type: 'no_alarm', ...(found.length === 0 ? {} : { of: found }) },
      { type: 'replies_within', seconds: USUAL_REPLY_SECONDS },
      ...(reason === 'AGENT_ENDED' || reason === 'OPTED_OUT'
        ? [{ type: 'ends' as const, as: [reason] }]
        : []),
    ],
  };
}

/** The sentence of the agent that a turn answers: its last question since the turn before, else its last sentence; null: it had said nothing. */
function askedBefore({ agent }: Story, turn: StorySound, before: StorySound | undefined): string | null {
  const said = agent.filter(({ from }) => from < turn.from);
  const since = said.filter(({ from }) => from >= (before?.to ?? 0));
  const asked = since.findLast(({ text }) => isQuestion(text)) ?? since.at(-1) ?? said.at(-1);
  return asked?.text ?? null;
}

function answersOf(story: Story, turns: readonly StorySound[]): CallerAnswer[] {
  const answers = new Map<string, CallerAnswer>();
  for (const [at, turn] of turns.entries()) {
    const asked = askedBefore(story, turn, turns[at - 1]);
    if (asked === null) continue;
    const key = normal(asked);
    const says = turn.text.slice(0, MOST_WORDS);
    const known = answers.get(key);
    if (known === undefined) answers.set(key, { asked: [asked.slice(0, MOST_WORDS)], says });
    else if (known.again === undefined && known.says !== says) answers.set(key, { ...known, again: says });
  }
  return [...answers.values()];
}

function habitsOf(story: Story, turns: readonly StorySound[]): NonNullable<Scenario['persona']['habits']> {
  const { agent, caller, settings } = story;
  const over = (sound: StorySound): boolean =>
    agent.some(({ from, to }) => sound.from > from && sound.from < to);
  const checkIns = agent.filter(({ text }) => normal(text) === normal(settings.phrases.idleCheckIn)).length;
  const murmurs = caller.filter((sound) => sound.text !== '' && isNoTurn(story, sound) && over(sound)).length;
  const shares = {
    interrupts: turns.filter(over).length / Math.max(1, agent.length),
    backchannels: murmurs / Math.max(1, agent.length),
    silent: checkIns / Math.max(1, turns.length),
    asks_twice:
      turns.filter((turn) => asksAgain(story, turn) && !asksForTime(story, turn)).length /
      Math.max(1, turns.length),
    holds: turns.filter((turn) => asksForTime(story, turn)).length / Math.max(1, turns.length),
  };
  return Object.fromEntries(
    Object.entries(shares)
      .map(([habit, share]) => [habit, Math.min(1, Math.ceil(share * STEP) / STEP)] as const)
      .filter(([, share]) => share > 0),
  );
}
