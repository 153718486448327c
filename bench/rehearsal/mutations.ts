import type { Candidate, Node } from './agent.ts';

type Mutate = (agent: Candidate) => void;

function node({ nodes }: Candidate, id: string): Node {
  const found = nodes.find((each) => each.id === id);
  if (found === undefined) throw new Error(`the agent has no node ${id}`);
  return found;
}
const goesTo =
  (id: string, from: string, to: string): Mutate =>
  (agent) => {
    for (const edge of node(agent, id).edges ?? []) if (edge['to'] === from) edge['to'] = to;
  };
const says =
  (id: string, field: 'say' | 'text' | 'ask', words: string): Mutate =>
  (agent) => {
    node(agent, id)[field] = words;
  };
const without =
  (id: string, to: string): Mutate =>
  (agent) => {
    const found = node(agent, id);
    found.edges = (found.edges ?? []).filter((edge) => edge['to'] !== to);
  };
const slower =
  (part: 'recogniser' | 'model' | 'voice', times: number): Mutate =>
  (agent) => {
    const { median, p99 } = agent.timing[part];
    agent.timing = { ...agent.timing, [part]: { median: median * times, p99: p99 * times } };
  };
const LONG = Array.from(
  { length: 14 },
  (_, at) => `This is the sentence number ${at} of the history of our practice.`,
).join(' ');

/** Faults that a change brings into a good agent. */
export const MUTATIONS: readonly (readonly [name: string, mutate: Mutate])[] = [
  ['the rule for pain is deleted', without('reason', 'urgent')],
  ['the price is wrong', says('price', 'text', 'A cleaning costs 90 dollars.')],
  ['the price is left out', without('reason', 'price')],
  ['the booking tool is left out', goesTo('hour', 'book', 'noted')],
  ['the search tool is left out', goesTo('day', 'find', 'hour')],
  ['the booking fails', (agent) => void (node(agent, 'book')['tool'] = 'book_slots')],
  ['the confirmation is gone', says('noted', 'say', 'Thank you. Goodbye.')],
  ['the wrong sentence for other wishes', says('office', 'say', 'I cannot help you. Goodbye.')],
  ['the day is not asked', goesTo('reason', 'day', 'hour')],
  [
    'the name is asked twice',
    (agent) => {
      const again = structuredClone(node(agent, 'caller'));
      agent.nodes.push({ ...again, id: 'again' });
      goesTo('caller', 'reason', 'again')(agent);
    },
  ],
  ['another company greets', (agent) => void (agent.agent.introMessage = 'Hello, this is Harbour Dental.')],
  ['a discount is promised', says('price', 'text', 'A cleaning costs 80 dollars, with a discount for you.')],
  ['the card number is asked for', says('hour', 'ask', 'What is your card number, and at what time?')],
  ['the model is slower', slower('model', 2)],
  ['the voice is slower', slower('voice', 3)],
  ['the recogniser is slower', slower('recogniser', 3)],
  ['the language is lost', (agent) => void (agent.agent.language = 'ar-AE')],
  ['callers cannot interrupt', (agent) => void (agent.agent.muteWhileAgentSpeaks = true)],
  [
    'the agent gives up at once',
    (agent) => Object.assign(agent.agent, { idleWarningSeconds: 1, idleEndSeconds: 2 }),
  ],
  [
    'yes and no are swapped',
    (agent) => {
      for (const edge of node(agent, 'wish').edges ?? [])
        if (edge['answer'] !== undefined) edge['answer'] = edge['answer'] === 'yes' ? 'no' : 'yes';
    },
  ],
  [
    'the talk never ends',
    (agent) => {
      const noted = node(agent, 'noted');
      agent.nodes[agent.nodes.indexOf(noted)] = {
        id: 'noted',
        type: 'say',
        text: 'Thank you. I have booked your appointment.',
        edges: [{ to: 'wish' }],
      };
    },
  ],
  ['a lecture comes before the day', says('price', 'text', LONG)],
  [
    'an e-mail is promised',
    says('office', 'say', 'I have sent you an e-mail. The practice will call you back about it. Goodbye.'),
  ],
  ['a call may last 20 seconds', (agent) => void (agent.maxCallMs = 20_000)],
  [
    'the agent waits for the caller to begin',
    (agent) => void (agent.agent.firstSpeaker = { mode: 'caller', delayMs: 0, limitMs: 10_000 }),
  ],
  ['the agent has no tools', (agent) => void (agent.tools = [])],
  [
    'the time is read as a number',
    (agent) =>
      void (agent.variables = agent.variables.map((each) =>
        each.name === 'hour' ? { name: 'hour', type: 'number' } : each,
      )),
  ],
  [
    'cleaning is no answer any more',
    (agent) =>
      void (agent.variables = agent.variables.map((each) =>
        each.name === 'reason' ? { ...each, values: ['check-up', 'pain'] } : each,
      )),
  ],
  ['the wish is not asked', (agent) => void agent.nodes.shift()],
  ['the agent ends after the name', goesTo('caller', 'reason', 'office')],
];

/** Changes that no caller notices. */
export const UNCHANGED: readonly (readonly [name: string, mutate: Mutate])[] = [
  ['a copy', () => undefined],
  ['another name', (agent) => void (agent.agent.name = 'Reception')],
  ['another voice', (agent) => void (agent.agent.voiceKey = 'other')],
  ['words for the recogniser', (agent) => void (agent.agent.vocab = ['Lopez'])],
  ['nodes in another order', (agent) => void agent.nodes.push(...agent.nodes.splice(4, 2))],
];
