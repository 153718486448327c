import { isEnglish } from '@callwright/language';
import { findVariables } from '../../shared/variables.ts';
import { captureOf, nodesOf, type CaptureKind, type Flow } from '../../voice/flow/document.ts';
import { playCall, type RehearsedAgent } from '../play/play-call.ts';
import { timingOf } from '../play/timing.ts';
import type { CallerAnswer, Scenario } from './document.ts';

/** What a caller may say where a flow asks for a value of this kind; the choices of a variable stand for themselves. */
const SAMPLES: Readonly<Record<Exclude<CaptureKind, 'choice' | 'digits'>, readonly string[]>> = {
  yes_no: ['Yes.', 'No.'],
  consent: ['Yes.', 'No.'],
  name: ['Maria Lopez'],
  spelled: ['M A R I A'],
  email: ['maria at example dot com'],
  phone: ['415 555 2671'],
  address: ['12 Main Street'],
  postcode: ['94107'],
  date: ['On Friday.'],
  time: ['At ten am.'],
  date_time: ['On Friday at ten am.'],
  number: ['Five.', 'Ten.'],
  money: ['80 dollars.'],
  card: ['4111 1111 1111 1111'],
  account: ['12345678'],
  free: ['The delivery was late'],
};
const DIGITS = '1234567890123456';
const USUAL_DIGITS = 6;

/** Ways through a flow that are tried, and scenarios that are kept. */
const MOST_WAYS = 64;
const SEED = 1;
const REPLY_SECONDS = 4;
const GOODBYE = /^(?:good)?bye\.?$/iu;

interface Question {
  readonly asked: string;
  readonly options: readonly string[];
}

/**
 * Scenarios for an agent with a flow: one for each way through it that callers find, with the words and the end that the agent has today.
 * English; none for a prompt.
 */
export async function scenariosOf(agent: RehearsedAgent, name: string): Promise<Scenario[]> {
  const { flow, language } = agent.spec.agent;
  if (flow === undefined || !isEnglish(language)) return [];
  const questions = questionsOf(flow.document);
  const variables = variablesOf(agent, flow.document);
  const found = new Map<string, Scenario>();
  for (const answers of ways(questions)) {
    const draft: Scenario = {
      name,
      agent: name,
      tags: ['from a flow'],
      variables,
      persona: { goal: 'One way through the flow.', answers },
      expect: [{ type: 'replies_within', seconds: REPLY_SECONDS }],
    };
    const call = await playCall({ agent, scenario: draft, seed: SEED, timing: timingOf('usual') });
    const said = call.agent.map(({ text }) => text);
    const last = said.findLast((text) => !GOODBYE.test(text.trim()));
    if (call.end === null || call.failure !== null || last === undefined) continue;
    const { reason } = call.end;
    if (reason !== 'AGENT_ENDED' && reason !== 'CALL_TRANSFERRED' && reason !== 'OPTED_OUT') continue;
    // The same questions and the same end are one way, whatever was answered.
    const way = said.filter((text) => /[?]\s*$/u.test(text) || text === last).join('\n');
    if (found.has(way)) continue;
    const used = answers.filter(({ says }) => call.caller.some(({ text }) => text === says));
    found.set(way, {
      ...draft,
      name: `${name} ${found.size + 1}: ${last}`.slice(0, 200),
      persona: { ...draft.persona, answers: used },
      expect: [{ type: 'says', any_of: [last] }, { type: 'ends', as: [reason] }, ...draft.expect],
    });
  }
  return [...found.values()];
}

/** A value for each variable that the agent's texts have and its flow does not fill: its own name, in words. */
function variablesOf({ spec: { agent } }: RehearsedAgent, flow: Flow): Record<string, string> {
  const filled = new Set((flow.variables ?? []).map(({ name }) => name));
  const names = findVariables(`${agent.introMessage} ${JSON.stringify(flow)}`).filter(
    (name) => !filled.has(name),
  );
  return Object.fromEntries(names.map((name) => [name, name.replaceAll('_', ' ')]));
}

function questionsOf(flow: Flow): Question[] {
  const variables = new Map((flow.variables ?? []).map((variable) => [variable.name, variable]));
  return nodesOf(flow).flatMap((node): Question[] => {
    if (node.type === 'choose')
      return [
        {
          asked: fragment(node.ask),
          options: node.answers.map(({ name, phrases = [] }) => phrases[0] ?? name),
        },
      ];
    if (node.type !== 'collect') return [];
    const variable = variables.get(node.variable);
    const kind = captureOf(node, variable);
    if (kind === 'digits')
      return [{ asked: fragment(node.ask), options: [DIGITS.slice(0, node.digits ?? USUAL_DIGITS)] }];
    return [
      { asked: fragment(node.ask), options: kind === 'choice' ? (variable?.values ?? []) : SAMPLES[kind] },
    ];
  });
}

/** The longest part of a question without placeholders. */
const fragment = (ask: string): string =>
  ask
    .split(/\{\{[^{}]{0,200}\}\}/u)
    .map((part) => part.trim())
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '');

/** Every combination of answers; of too many those that differ from the first in one answer. */
function* ways(questions: readonly Question[]): Generator<CallerAnswer[]> {
  const asked = questions.filter(({ asked: words, options }) => words !== '' && options.length > 0);
  const answersOf = (chosen: readonly number[]): CallerAnswer[] => [
    ...asked.map(({ asked: words, options }, at) => ({ asked: [words], says: options[chosen[at] ?? 0]! })),
    { asked: ['right'], says: 'Yes, right.' },
  ];
  const all = asked.reduce((product, { options }) => product * options.length, 1);
  if (all > MOST_WAYS) {
    yield answersOf([]);
    for (const [at, { options }] of asked.entries())
      for (let option = 1; option < options.length; option++)
        yield answersOf(asked.map((_, n) => (n === at ? option : 0)));
    return;
  }
  for (let way = 0; way < all; way++) {
    let rest = way;
    const chosen = asked.map(({ options }) => {
      const option = rest % options.length;
      rest = Math.floor(rest / options.length);
      return option;
    });
    yield answersOf(chosen);
  }
}
