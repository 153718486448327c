import { expect, it } from 'vitest';
import {
  CAPTURE_KINDS,
  EVENTS_OF,
  GLOBAL_FIELDS,
  INTERRUPTIONS,
  NODE_KINDS,
  NODE_SCHEMAS,
  VARIABLE_TYPES,
} from '../../../../src/voice/flow/document.ts';
import { STEP_KINDS } from './flow-document.ts';
import {
  ANSWER_KINDS,
  INTERRUPTION_RULES,
  GLOBAL_STEP_FIELDS,
  STEP_EVENTS,
  STEP_FIELDS,
  VALUE_TYPES,
} from './step-fields.ts';

it('offers the kinds, events and types of the service', () => {
  expect(STEP_KINDS).toEqual(NODE_KINDS);
  expect(STEP_EVENTS).toEqual(EVENTS_OF);
  expect(Object.keys(INTERRUPTION_RULES)).toEqual(INTERRUPTIONS);
  expect(Object.keys(ANSWER_KINDS)).toEqual(CAPTURE_KINDS);
  expect(Object.keys(VALUE_TYPES)).toEqual(VARIABLE_TYPES);
});

it('shows every field of each kind of step', () => {
  const shown = NODE_KINDS.map((kind) => [
    'id',
    'type',
    ...STEP_FIELDS[kind].map(({ name }) => name),
    'edges',
  ]);
  const fields = NODE_KINDS.map((kind) => Object.keys(NODE_SCHEMAS[kind].properties));
  expect(shown.map((names) => names.toSorted())).toEqual(fields.map((names) => names.toSorted()));
  expect(GLOBAL_STEP_FIELDS.map(({ name }) => name)).toEqual(Object.keys(GLOBAL_FIELDS));
});
