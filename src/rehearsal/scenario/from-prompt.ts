import { isEnglish } from '@callwright/language';
import { findVariables } from '../../shared/variables.ts';
import { playCall, type RehearsedAgent } from '../play/play-call.ts';
import { timingOf } from '../play/timing.ts';
import type { CallerAnswer, RehearsalExpectation, Scenario } from './document.ts';
import { factsOf } from './prompt-facts.ts';

/** What the built-in engine reads in a prompt. */
export interface PromptToRehearse {
  readonly questions: readonly {
    readonly text: string;
    readonly answer: string;
    readonly choices: readonly string[];
  }[];
  readonly facts: readonly { readonly question: string; readonly answer: string }[];
  readonly statements: readonly string[];
}

/** What a caller answers to a question of this kind; choices stand for themselves. */
const SAMPLES: Readonly<Record<string, string>> = {
  yes_no: 'Yes.',
  number: 'Three.',
  digits: '415 555 2671',
  date: 'On Friday.',
  time: 'At ten am.',
  name: 'Maria Lopez',
  free: 'The delivery was late',
};
const OTHER_DAY = 'On Monday.';
const ABSENT = 'Do you repair bicycles?';
const NO_CALLS = 'Please do not call me again.';
const A_PERSON = 'I want to speak to a person.';
const BUSY = 'I am busy, please call me later.';
const REPLY_SECONDS = 4;
const SEED = 1;
/** Then the caller hangs up: an agent that finds no end is not called for minutes. */
const MOST_TURNS = 20;
/** A question is found by its last words: what comes before them may change with the caller's answers. */
const ASKED_CHARACTERS = 60;

interface Candidate {
  readonly name: string;
  readonly goal: string;
  readonly persona?: Partial<Scenario['persona']>;
  readonly expect?: readonly RehearsalExpectation[];
}

/**
 * Scenarios for an agent that a prompt leads: a caller who answers every question, callers who ask for each fact of the prompt and for
 * something that it does not say, and those who refuse, change their day, ask twice, hurry or want no more calls. Each expects what the
 * prompt says, and the end that the call has today; outside English, facts and habits alone.
 */
export async function scenariosOfPrompt(
  agent: RehearsedAgent,
  name: string,
  prompt: PromptToRehearse,
): Promise<Scenario[]> {
  const english = isEnglish(agent.spec.agent.language);
  const answers = english ? answersTo(prompt) : [];
  const variables = variablesOf(agent);
  const candidates = [
    ...(english ? englishCallers(agent, answers, prompt) : []),
    ...everyCaller(answers, prompt),
  ];
  const scenarios: Scenario[] = [];
  for (const { name: who, goal, persona, expect = [] } of candidates) {
    const draft: Scenario = {
      name: `${name}: ${who}`.slice(0, 200),
      agent: name,
      tags: ['from a prompt'],
      variables,
      persona: { goal, answers, most_turns: MOST_TURNS, ...persona },
      expect: [...expect, { type: 'replies_within', seconds: REPLY_SECONDS }, { type: 'no_overlap' }],
    };
    const call = await playCall({ agent, scenario: draft, seed: SEED, timing: timingOf('usual') });
    const reason = call.end?.reason;
    const isKept = reason === 'AGENT_ENDED' || reason === 'CALL_TRANSFERRED' || reason === 'OPTED_OUT';
    scenarios.push(isKept ? { ...draft, expect: [...draft.expect, { type: 'ends', as: [reason] }] } : draft);
  }
  return scenarios;
}

/** Answers to what agents ask beside their prompt. */
const USUAL: readonly CallerAnswer[] = [
  { asked: ['anything else'], says: 'No, thank you.' },
  { asked: ['right', 'correct'], says: 'Yes, right.' },
];
/** A caller's own question is taken for the answer to these. */
const TAKEN_WHOLE = new Set(['name', 'free', 'digits']);

function answersTo({ questions }: PromptToRehearse): CallerAnswer[] {
  const found = questions.flatMap(({ text, answer, choices }): CallerAnswer[] => {
    const asked = text.trim().slice(-ASKED_CHARACTERS);
    const says = choices[0] ?? SAMPLES[answer];
    if (asked === '' || says === undefined) return [];
    const instead = answer === 'date' ? { instead: OTHER_DAY } : {};
    return [{ asked: [asked], says, ...instead }];
  });
  return [...found, ...USUAL];
}

/** A caller who says this at the first question that leaves room for it, and then takes part as the others do. */
function saying(
  text: string,
  answers: readonly CallerAnswer[],
  { questions }: PromptToRehearse,
): Partial<Scenario['persona']> {
  const closed = questions
    .filter(({ answer }) => !TAKEN_WHOLE.has(answer))
    .map(({ text: asked }) => asked.trim());
  const place = answers.findIndex(({ asked }) =>
    closed.some((question) => question.endsWith(asked[0] ?? '')),
  );
  const chosen = answers[place];
  if (chosen === undefined) return { opens: text };
  const { asked, says } = chosen;
  const again = typeof says === 'string' ? says : (says[0] ?? '');
  return { answers: answers.with(place, { asked, says: text, again }) };
}

/** Callers of every language: facts, and habits, whose words the languages have. */
function everyCaller(answers: readonly CallerAnswer[], prompt: PromptToRehearse): Candidate[] {
  return [
    ...factsOf(prompt).map(({ question, said }): Candidate => ({
      name: question,
      goal: `To know: ${question}`.slice(0, 1_000),
      persona: saying(question.slice(0, 500), answers, prompt),
      expect: [{ type: 'says', any_of: [...said] }],
    })),
    { name: 'refuses', goal: 'Is not interested.', persona: { habits: { says_no: 1 } } },
    { name: 'asks twice', goal: 'Does not hear well.', persona: { habits: { asks_twice: 1 } } },
    { name: 'murmurs', goal: 'Listens.', persona: { habits: { backchannels: 1 } } },
  ];
}

function englishCallers(
  agent: RehearsedAgent,
  answers: readonly CallerAnswer[],
  prompt: PromptToRehearse,
): Candidate[] {
  const transfer = agent.spec.tools?.find(({ kind }) => kind === 'transfer')?.name;
  const hasDay = prompt.questions.some(({ answer }) => answer === 'date');
  return [
    { name: 'answers every question', goal: 'To get through the call.' },
    {
      name: 'asks for something that the prompt does not say',
      goal: 'To know what the agent cannot know.',
      persona: saying(ABSENT, answers, prompt),
      expect: [
        { type: 'never_says', any_of: ['we repair bicycles', 'we do repair'] },
        { type: 'no_alarm', of: ['loop', 'promise_without_tool', 'dead_air'] },
      ],
    },
    {
      name: 'wants no more calls',
      goal: 'Not to be called again.',
      persona: saying(NO_CALLS, answers, prompt),
      expect: [{ type: 'calls_tool', tool: 'opt_out' }],
    },
    {
      name: 'wants a person',
      goal: 'To speak to a person.',
      persona: saying(A_PERSON, answers, prompt),
      expect: transfer === undefined ? [] : [{ type: 'calls_tool', tool: transfer }],
    },
    {
      name: 'is busy',
      goal: 'Has no time now.',
      persona: { ...saying(BUSY, answers, prompt), temper: 'hurried' },
    },
    ...(hasDay
      ? [
          {
            name: 'takes the day back',
            goal: 'Another day than it says first.',
            persona: { habits: { changes_mind: 1 } },
          },
        ]
      : []),
  ];
}

/** A value for each variable of the agent's texts: its own name, in words. */
function variablesOf({ spec: { agent } }: RehearsedAgent): Record<string, string> {
  const names = findVariables(`${agent.introMessage} ${agent.prompt}`);
  return Object.fromEntries(names.map((name) => [name, name.replaceAll('_', ' ')]));
}
