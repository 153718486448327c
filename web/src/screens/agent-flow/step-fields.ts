import type { StepKind } from './flow-document.ts';

/** How a field is edited. */
export type FieldForm =
  | 'area'
  | 'line'
  | 'expression'
  | 'count'
  | 'check'
  | 'lines'
  | 'pairs'
  | 'answers'
  | 'capture'
  | 'context'
  | 'variable'
  | 'tool'
  | 'agent'
  | 'tools'
  | 'bases'
  | 'voice'
  | 'interruption';

/** One field of the form of a step or edge. */
export interface StepField {
  readonly name: string;
  readonly label: string;
  readonly form: FieldForm;
  readonly hint?: string;
  /** An empty text is kept, so that the check names the field; other fields go when they are emptied. */
  readonly isNeeded?: boolean;
}

const CONTEXT: StepField = { name: 'context', label: 'Earlier lines that the model reads', form: 'context' };
const HANDOFF_CONTEXT: StepField = { ...CONTEXT, label: 'Earlier lines that its model reads' };
const FORGET: StepField = {
  name: 'forget',
  label: 'Steps that the model does not read',
  form: 'lines',
  hint: 'One name a line.',
};
const TRIES: StepField = { name: 'tries', label: 'Times to ask', form: 'count', hint: '1 to 5; 3 if empty.' };
const ASK: StepField = { name: 'ask', label: 'Question', form: 'area', isNeeded: true };
const saidBefore = (label: string): StepField => ({ name: 'say', label, form: 'area' });

/** What the form of each kind of step shows, the most important field first. */
export const STEP_FIELDS: Readonly<Record<StepKind, readonly StepField[]>> = {
  talk: [
    { name: 'prompt', label: 'What the model does here', form: 'area', isNeeded: true },
    {
      name: 'turns',
      label: 'Maximum answers of the caller',
      form: 'count',
      hint: '1 to 50; no limit if empty.',
    },
    { name: 'tools', label: 'Tools that the model may call here', form: 'tools' },
    { name: 'knowledge', label: 'Knowledge bases searched here', form: 'bases' },
    {
      name: 'tasks',
      label: 'Collect steps that it may start',
      form: 'lines',
      hint: 'One name a line. Each asks for its value, and the talk goes on.',
    },
    { name: 'voice', label: 'Voice in calls', form: 'voice' },
    {
      name: 'model',
      label: 'Language model',
      form: 'line',
      hint: 'A model of the first vendor of the assistant; its own if empty.',
    },
    { name: 'interruption', label: 'How easily callers interrupt here', form: 'interruption' },
    CONTEXT,
    FORGET,
  ],
  say: [{ name: 'text', label: 'Words', form: 'area', isNeeded: true }],
  collect: [
    ASK,
    { name: 'variable', label: 'Variable', form: 'variable', isNeeded: true },
    { name: 'kind', label: 'Kind of answer', form: 'capture' },
    { name: 'digits', label: 'Number of digits', form: 'count', hint: '1 to 32; any number if empty.' },
    TRIES,
  ],
  choose: [
    ASK,
    {
      name: 'answers',
      label: 'Answers',
      form: 'answers',
      isNeeded: true,
      hint: 'One a line, 2 to 9; other words for it behind bars: yes | it does | sure',
    },
    TRIES,
  ],
  tool: [
    { name: 'tool', label: 'Tool', form: 'tool', isNeeded: true },
    {
      name: 'arguments',
      label: 'Arguments',
      form: 'pairs',
      hint: 'One a line: name = expression. Others come from the variable of the same name.',
    },
  ],
  set: [
    {
      name: 'set',
      label: 'New values',
      form: 'pairs',
      isNeeded: true,
      hint: 'One a line: variable = expression',
    },
  ],
  transfer: [
    { name: 'tool', label: 'Transfer tool', form: 'tool', isNeeded: true },
    saidBefore('Said before the transfer'),
  ],
  handoff: [
    { name: 'agent_id', label: 'Assistant that takes over', form: 'agent', isNeeded: true },
    saidBefore('Said before the other assistant'),
    HANDOFF_CONTEXT,
    { ...FORGET, label: 'Steps that its model does not read' },
    { name: 'pass', label: 'Variables passed on', form: 'lines', hint: 'One name a line.' },
    { name: 'silent', label: 'Without its first message', form: 'check' },
    { name: 'back', label: 'Comes back when the other assistant is done', form: 'check' },
  ],
  end: [saidBefore('Goodbye')],
};

/** What the form shows besides for a step that callers reach from every question. */
export const GLOBAL_STEP_FIELDS: readonly StepField[] = [
  { name: 'when', label: 'What the caller wants here', form: 'line', isNeeded: true },
  {
    name: 'examples',
    label: 'What callers say when they want it',
    form: 'lines',
    isNeeded: true,
    hint: 'One a line.',
  },
  { name: 'back', label: 'Goes back to where the caller was', form: 'check' },
];

/** What the form of an edge shows besides its target and condition. */
export const EDGE_SAY: StepField = { name: 'say', label: 'Said on the way', form: 'area' };
/** Of an edge to a talk. */
export const EDGE_READS: readonly StepField[] = [CONTEXT, FORGET];
export const EDGE_EXAMPLES: StepField = {
  name: 'examples',
  label: 'What callers say to take this edge',
  form: 'lines',
  hint: 'One a line. Without a language model they decide, in English also by their meaning.',
};

/** Events that an edge of each kind of step may wait for. */
export const STEP_EVENTS: Readonly<Record<StepKind, readonly string[]>> = {
  talk: ['turns', 'silence'],
  say: [],
  collect: ['failed', 'refused', 'silence'],
  choose: ['failed', 'silence'],
  tool: ['ok', 'failed'],
  set: [],
  transfer: ['failed'],
  handoff: ['failed', 'back'],
  end: [],
};

/** Kinds of answers of a collect by value, and how the screen names them. */
export const ANSWER_KINDS: Readonly<Record<string, string>> = {
  yes_no: 'Yes or no',
  choice: 'One of the values',
  name: 'Name',
  spelled: 'Spelled letters',
  email: 'E-mail address',
  phone: 'Phone number',
  address: 'Address',
  postcode: 'Postcode',
  date: 'Date',
  time: 'Time',
  date_time: 'Date and time',
  number: 'A number',
  money: 'Amount of money',
  digits: 'Digits',
  card: 'Card number',
  account: 'Account number',
  consent: 'Consent',
  free: 'Free words',
};
/** Rules of a talk for interruptions. */
export const INTERRUPTION_RULES: Readonly<Record<string, string>> = {
  low: 'Hardly',
  default: 'As usual',
  high: 'Easily',
  none: 'Not at all',
};
export const VALUE_TYPES: Readonly<Record<string, string>> = {
  text: 'Text',
  number: 'A number',
  boolean: 'Yes or no',
  choice: 'One of several values',
  date: 'Date',
  time: 'Time',
  date_time: 'Date and time',
};
export const KIND_NAMES: Readonly<Record<StepKind, string>> = {
  talk: 'Talk',
  say: 'Say',
  collect: 'Collect',
  choose: 'Choose',
  tool: 'Tool',
  set: 'Set values',
  transfer: 'Transfer',
  handoff: 'Handoff',
  end: 'End',
};
