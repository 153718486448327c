import type { RehearsedAgent } from '../../src/rehearsal/play/play-call.ts';
import { timingOf, type Timing } from '../../src/rehearsal/play/timing.ts';
import type { Scenario } from '../../src/rehearsal/scenario/document.ts';
import { createScriptLlm } from '../../src/offline/script/brain.ts';
import type { ToolSpec } from '../../src/providers/ports/model.ts';
import type { AgentSnapshot, CallSpec } from '../../src/session/protocol.ts';
import type { Flow } from '../../src/voice/flow/document.ts';

type Edge = Record<string, string>;
export interface Node {
  id: string;
  type: string;
  [field: string]: unknown;
  edges?: Edge[];
}

/** An agent as mutations change it. */
export interface Candidate {
  agent: AgentSnapshot;
  nodes: Node[];
  variables: { name: string; type: string; values?: string[] }[];
  tools: ToolSpec[];
  timing: Timing;
  maxCallMs: number;
}

const tool = (name: string): ToolSpec => ({
  name,
  description: name,
  parameters: { type: 'object', properties: { day: { type: 'string' }, hour: { type: 'string' } } },
  kind: 'remote',
  timeoutMs: 5_000,
});

/** A dental practice that books appointments with two tools and knows one price. */
export const goodAgent = (): Candidate => ({
  timing: timingOf('usual'),
  maxCallMs: 240_000,
  tools: [tool('find_slots'), tool('book_slot')],
  variables: [
    { name: 'caller', type: 'text' },
    { name: 'reason', type: 'choice', values: ['check-up', 'cleaning', 'pain'] },
    { name: 'day', type: 'date' },
    { name: 'hour', type: 'time' },
  ],
  agent: {
    name: 'Desk',
    language: 'en-US',
    secondaryLanguage: null,
    voiceKey: 'voice',
    voiceSpeed: 1,
    prompt: '',
    introMessage: 'Hello, this is City Dental.',
    vocab: [],
    firstSpeaker: { mode: 'auto', delayMs: 0, limitMs: 10_000 },
    muteDuringIntro: true,
    muteWhileAgentSpeaks: false,
    interruptionSensitivity: 'default',
    idleWarningSeconds: 7,
    idleEndSeconds: 14,
    noiseSuppression: null,
  },
  nodes: [
    {
      id: 'wish',
      type: 'choose',
      ask: 'Would you like to book an appointment?',
      answers: [{ name: 'yes' }, { name: 'no', phrases: ['something else'] }],
      edges: [
        { to: 'caller', answer: 'yes' },
        { to: 'office', answer: 'no' },
        { to: 'office', on: 'failed' },
      ],
    },
    {
      id: 'caller',
      type: 'collect',
      variable: 'caller',
      kind: 'free',
      ask: 'May I have your name, please?',
      edges: [{ to: 'reason' }, { to: 'office', on: 'failed' }, { to: 'office', on: 'refused' }],
    },
    {
      id: 'reason',
      type: 'collect',
      variable: 'reason',
      ask: 'Is it for a check-up, a cleaning, or are you in pain?',
      edges: [
        { to: 'urgent', if: "reason == 'pain'" },
        { to: 'price', if: "reason == 'cleaning'" },
        { to: 'day' },
        { to: 'office', on: 'failed' },
        { to: 'day', on: 'refused' },
      ],
    },
    { id: 'price', type: 'say', text: 'A cleaning costs 80 dollars.', edges: [{ to: 'day' }] },
    {
      id: 'day',
      type: 'collect',
      variable: 'day',
      ask: 'Which day suits you?',
      edges: [{ to: 'find' }, { to: 'office', on: 'failed' }, { to: 'office', on: 'refused' }],
    },
    {
      id: 'find',
      type: 'tool',
      tool: 'find_slots',
      arguments: { day: 'day' },
      edges: [
        { to: 'hour', on: 'ok' },
        { to: 'office', on: 'failed' },
      ],
    },
    {
      id: 'hour',
      type: 'collect',
      variable: 'hour',
      ask: 'At what time?',
      edges: [{ to: 'book' }, { to: 'office', on: 'failed' }, { to: 'office', on: 'refused' }],
    },
    {
      id: 'book',
      type: 'tool',
      tool: 'book_slot',
      arguments: { day: 'day', hour: 'hour' },
      edges: [
        { to: 'noted', on: 'ok' },
        { to: 'office', on: 'failed' },
      ],
    },
    { id: 'noted', type: 'end', say: 'Thank you. I have booked your appointment. Goodbye.' },
    {
      id: 'urgent',
      type: 'end',
      say: 'I am sorry to hear that. Please come today during opening hours. Goodbye.',
    },
    { id: 'office', type: 'end', say: 'The practice will call you back about it. Goodbye.' },
  ],
});

const llm = createScriptLlm();

/** The agent as a rehearsal calls it. */
export function rehearsable({ agent, nodes, variables, tools, maxCallMs }: Candidate): RehearsedAgent {
  const document = { start: nodes[0]?.id ?? '', variables, nodes } as unknown as Flow;
  const spec: CallSpec = {
    callId: 'desk',
    workspaceId: '',
    attempt: 1,
    direction: 'inbound',
    agent: { ...agent, flow: { document, zone: 'UTC' } },
    variables: {},
    tools,
    maxCallMs,
    recordingPath: null,
  };
  return { spec, llm };
}

const asked = (phrase: string, says: string | string[], more: object = {}) => ({
  asked: [phrase],
  says,
  ...more,
});
const YES = asked('book an appointment', ['Yes please.', 'Yes, I would.']);
const NAME = asked('your name', 'Maria Lopez', { spelt: 'M A R I A' });
const DAY = asked('which day', ['Tuesday.', 'On Friday.', 'Monday please.']);
const HOUR = asked('what time', ['At ten am.', 'Ten am.']);
const RIGHT = asked('right', ['Yes.', 'Yes, right.']);
const CHECK_UP = asked('a cleaning', 'A check-up.', { instead: 'A cleaning.' });
const CLEANING = asked('a cleaning', 'A cleaning.');
const TOOLS = [
  { tool: 'find_slots', result: { slots: ['ten', 'three'] }, takes_ms: 400 },
  { tool: 'book_slot', result: { booked: true }, takes_ms: 600 },
];
const ALWAYS = [
  { type: 'replies_within', seconds: 4 },
  { type: 'no_overlap' },
  {
    type: 'no_alarm',
    of: ['dead_air', 'promise_without_tool', 'repeated_question', 'long_monologue', 'early_hang_up'],
  },
  { type: 'never_says', any_of: ['discount', 'card number'] },
] as const;
const BOOKED = [
  { type: 'says', any_of: ['City Dental'], turn: 0 },
  { type: 'calls_tool', tool: 'find_slots' },
  { type: 'calls_tool', tool: 'book_slot', arguments: { hour: '10:00' } },
  { type: 'says', any_of: ['I have booked your appointment'] },
  { type: 'ends', as: ['AGENT_ENDED'] },
] as const;
const scenario = (
  name: string,
  answers: object[],
  expect: readonly object[],
  persona: object = {},
): Scenario =>
  ({
    name,
    persona: { goal: name, answers: [...answers, RIGHT], ...persona },
    tools: TOOLS,
    expect: [...expect, ...ALWAYS],
  }) as unknown as Scenario;

/** Callers of the practice. */
export const CALLERS: readonly Scenario[] = [
  scenario(
    'Books a check-up',
    [YES, NAME, CHECK_UP, DAY, HOUR],
    [...BOOKED, { type: 'never_says', any_of: ['80 dollars'] }],
  ),
  scenario(
    'Books a cleaning',
    [YES, NAME, CLEANING, DAY, HOUR],
    [...BOOKED, { type: 'says', any_of: ['80 dollars'] }],
  ),
  scenario(
    'Is in pain',
    [YES, NAME, asked('a cleaning', ['I am in pain.', 'Pain.'])],
    [
      { type: 'says', any_of: ['please come today'] },
      { type: 'never_says', any_of: ['which day'] },
      { type: 'ends', as: ['AGENT_ENDED'] },
    ],
  ),
  scenario(
    'Wants something else',
    [asked('book an appointment', ['No.', 'No, something else.'])],
    [
      { type: 'says', any_of: ['the practice will call you back'] },
      { type: 'never_calls_tool', tool: 'book_slot' },
      { type: 'ends', as: ['AGENT_ENDED'] },
    ],
  ),
  scenario(
    'Interrupts',
    [YES, NAME, CHECK_UP, DAY, HOUR],
    [...BOOKED, { type: 'stops_within', seconds: 0.6 }],
    {
      temper: 'hurried',
      habits: { interrupts: 0.4 },
    },
  ),
  scenario('Looks at the calendar', [YES, NAME, CHECK_UP, DAY, HOUR], BOOKED, { habits: { holds: 0.3 } }),
  scenario('Spells and murmurs', [YES, NAME, CHECK_UP, DAY, HOUR], BOOKED, {
    habits: { spells: 0.5, backchannels: 0.1 },
  }),
  scenario('Is slow to answer', [YES, NAME, CHECK_UP, DAY, HOUR], BOOKED, { habits: { silent: 0.1 } }),
];
