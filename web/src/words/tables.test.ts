import { expect, it } from 'vitest';
import {
  ANSWER_KINDS,
  GLOBAL_STEP_FIELDS,
  INTERRUPTION_RULES,
  KIND_NAMES,
  STEP_FIELDS,
  VALUE_TYPES,
} from '../screens/agent-flow/step-fields.ts';
import { KEY_TYPES } from '../screens/agent/client-analysis.ts';
import { RULES } from '../screens/agent/scorecard-rules.ts';
import { SOURCES, TYPE_NAMES } from '../screens/agent/tool-draft.ts';
import { EXPECTATIONS, HABITS, TEMPERS } from '../screens/rehearsals/scenario-draft.ts';
import { ACCOUNT_LABELS } from '../screens/trunks/carriers.ts';
import { PRESETS } from '../screens/trunks/presets.ts';
import { WORDS as de } from './de.ts';
import { WORDS as es } from './es.ts';
import { WORDS as hi } from './hi.ts';

/** Texts that screens read from tables of modules. */
const TEXTS = [
  ...[ANSWER_KINDS, INTERRUPTION_RULES, VALUE_TYPES, KIND_NAMES].flatMap((table) => Object.values(table)),
  ...[...Object.values(STEP_FIELDS).flat(), ...GLOBAL_STEP_FIELDS].flatMap(({ label, hint }) => [
    label,
    ...(hint === undefined ? [] : [hint]),
  ]),
  ...[TYPE_NAMES, SOURCES, KEY_TYPES, HABITS, TEMPERS, EXPECTATIONS].flatMap((table) =>
    Object.values<string>(table),
  ),
  ...Object.values(RULES).flatMap(({ name, asks }) => [name, asks]),
  ...Object.values(ACCOUNT_LABELS).flatMap((labels) =>
    Object.entries(labels).flatMap(([field, label]) => (field === 'uri' ? [] : [label])),
  ),
  ...PRESETS.map(({ advice }) => advice),
];

it.each(Object.entries({ de, es, hi }))(
  'every text of the tables of modules is translated, %s',
  (_, words) => {
    expect(TEXTS.length).toBeGreaterThan(120);
    expect(TEXTS.filter((text) => words[text] === undefined)).toEqual([]);
  },
);
