import { expect, it } from 'vitest';
import {
  ANSWER_KINDS,
  GLOBAL_STEP_FIELDS,
  INTERRUPTION_RULES,
  KIND_NAMES,
  STEP_FIELDS,
  VALUE_TYPES,
} from '../screens/agent-flow/step-fields.ts';
import { FAILURES } from '../screens/call/failure-text.ts';
import { BY_CODE, NOTICES } from '../screens/call/live-notices.ts';
import { REFUSALS, SIP_ANSWERS, SIP_REASONS } from '../screens/call/refusal-words.ts';
import { KEY_TYPES } from '../screens/agent/client-analysis.ts';
import { RULES } from '../screens/agent/scorecard-rules.ts';
import { SOURCES, TYPE_NAMES } from '../screens/agent/tool-draft.ts';
import { REASONS } from '../parts/campaign-reason.ts';
import { DETAILS, TRUNK_FAULTS } from '../parts/check-details.ts';
import { FIXES, TITLES } from '../parts/check-names.ts';
import { DELIVERY_ERRORS, DELIVERY_STATES } from '../parts/delivery-names.ts';
import { EVENT_NAMES } from '../parts/event-names.ts';
import { CHAT_ENDS, OUTCOMES } from '../parts/outcomes.ts';
import { RESULTS, SENTIMENTS } from '../parts/result-name.ts';
import { FAULTS } from '../parts/vendor-fault.ts';
import { FIELD_RULES } from '../ui/field-rules.ts';
import { PATTERNS, SENTENCES } from '../ui/service-words.ts';
import {
  ENDS as CALL_ENDS,
  EXPECTATION_NAMES,
  EXPECTATIONS,
  HABITS,
  TEMPERS,
} from '../screens/rehearsals/scenario-draft.ts';
import { ENDS } from '../screens/test-cases/case-draft.ts';
import { ACCOUNT_LABELS } from '../screens/trunks/carriers.ts';
import { PRESETS } from '../screens/trunks/presets.ts';
import type { Catalogue } from './catalogue.ts';

const FILES = import.meta.glob<Catalogue>('./{de,es,hi}/*.ts', { import: 'WORDS', eager: true });
/** All texts of a language, of whichever group. */
const whole = (language: string): Catalogue =>
  Object.assign(
    {},
    ...Object.entries(FILES).flatMap(([path, words]) => (path.startsWith(`./${language}/`) ? [words] : [])),
  ) as Catalogue;

/** Texts that screens read from tables of modules. */
const TEXTS = [
  ...[ANSWER_KINDS, INTERRUPTION_RULES, VALUE_TYPES, KIND_NAMES].flatMap((table) => Object.values(table)),
  ...[...Object.values(STEP_FIELDS).flat(), ...GLOBAL_STEP_FIELDS].flatMap(({ label, hint }) => [
    label,
    ...(hint === undefined ? [] : [hint]),
  ]),
  ...[
    TYPE_NAMES,
    SOURCES,
    KEY_TYPES,
    HABITS,
    TEMPERS,
    EXPECTATIONS,
    EXPECTATION_NAMES,
    ENDS,
    CALL_ENDS,
    REASONS,
    OUTCOMES,
    CHAT_ENDS,
    FAILURES,
    SENTIMENTS,
    TITLES,
    FIXES,
    DELIVERY_ERRORS,
    DELIVERY_STATES,
    EVENT_NAMES,
    FAULTS,
    SENTENCES,
    BY_CODE,
    SIP_ANSWERS,
  ].flatMap((table) => Object.values<string>(table)),
  ...Object.values(RULES).flatMap(({ name, asks }) => [name, asks]),
  ...Object.values(ACCOUNT_LABELS).flatMap((labels) =>
    Object.entries(labels).flatMap(([field, label]) => (field === 'uri' ? [] : [label])),
  ),
  ...PRESETS.map(({ advice }) => advice),
  ...RESULTS,
  ...[...PATTERNS, ...FIELD_RULES, ...NOTICES, ...DETAILS, ...TRUNK_FAULTS, ...REFUSALS, ...SIP_REASONS].map(
    ([, text]) => text,
  ),
];

it.each(['de', 'es', 'hi'])('every text of the tables of modules is translated, %s', (language) => {
  const words = whole(language);
  expect(TEXTS.length).toBeGreaterThan(120);
  expect(TEXTS.filter((text) => words[text] === undefined)).toEqual([]);
});
