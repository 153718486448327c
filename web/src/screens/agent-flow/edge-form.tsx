import type { ReactNode } from 'react';
import { SelectField } from '../../ui/controls.tsx';
import { answersIn, edgesIn, stepsIn, type Edge, type Step, type StepKind } from './flow-document.ts';
import { FieldInput } from './field-input.tsx';
import { EDGE_EXAMPLES, EDGE_READS, EDGE_SAY, STEP_EVENTS, type StepField } from './step-fields.ts';
import type { FormProps } from './step-form.tsx';
import { t } from '../../words/words.ts';

/** Conditions of an edge by field, as the screen names them. */
const CONDITIONS = {
  if: 'An expression is true',
  on: 'How the step ended',
  answer: 'The caller gave an answer',
  when: 'A sentence that the model judges',
} as const;
type Condition = keyof typeof CONDITIONS;
const CONDITION_FIELDS = Object.keys(CONDITIONS) as Condition[];

/** Conditions that edges of the step may have. */
function conditionsOf(step: Step, edge: Edge): readonly Condition[] {
  const fits: Readonly<Record<Condition, boolean>> = {
    if: step.type !== 'transfer' && step.type !== 'handoff',
    on: (STEP_EVENTS[step.type as StepKind] ?? []).length > 0,
    answer: step.type === 'choose',
    when: step.type === 'talk',
  };
  return CONDITION_FIELDS.filter((name) => fits[name] || edge[name] !== undefined);
}

const EXPRESSION: StepField = { name: 'if', label: 'Expression', form: 'expression', isNeeded: true };
const WHEN: StepField = { name: 'when', label: 'What has to be true', form: 'area', isNeeded: true };

/** The target and condition of one edge. */
export function EdgeForm({
  flow,
  edit,
  mayEdit,
  offers,
  place,
  at,
}: FormProps & { place: number; at: number }): ReactNode {
  const steps = stepsIn(flow);
  const step = steps[place];
  const edge = step === undefined ? undefined : edgesIn(step)[at];
  if (step === undefined || edge === undefined) return null;
  const replace = (value: Edge, mark?: string): void =>
    edit({ does: 'set_edge', step: place, edge: at, value }, mark);
  const set = (field: string, value: unknown): void => {
    const { [field]: _, ...rest } = edge;
    replace(value === undefined ? (rest as Edge) : { ...edge, [field]: value }, `${place} ${at} ${field}`);
  };
  const condition = CONDITION_FIELDS.find((name) => edge[name] !== undefined);
  const chooseCondition = (chosen: string): void => {
    const { if: _if, on: _on, answer: _answer, when: _when, examples: _examples, ...rest } = edge;
    const first = {
      on: STEP_EVENTS[step.type as StepKind]?.[0] ?? '',
      answer: answersIn(step)[0] ?? '',
    };
    const value = chosen === 'on' ? first.on : chosen === 'answer' ? first.answer : '';
    replace(chosen === '' ? rest : { ...rest, [chosen]: value });
  };
  const leadsToTalk = steps.some(({ id, type }) => id === edge.to && type === 'talk');
  const fields = [
    ...(condition === 'if' ? [EXPRESSION] : []),
    ...(condition === 'when' ? [WHEN, EDGE_EXAMPLES] : []),
    EDGE_SAY,
    ...EDGE_READS.filter(({ name }) => leadsToTalk || edge[name] !== undefined),
  ];
  return (
    <div className="flex flex-col gap-4">
      <div data-main="">
        <Choice
          label={t('Leads to')}
          value={edge.to}
          options={[...new Set(steps.map(({ id }) => id))]}
          readOnly={!mayEdit}
          onChange={(to) => replace({ ...edge, to })}
        />
      </div>
      <SelectField
        label={t('Taken when')}
        value={condition ?? ''}
        readOnly={!mayEdit}
        onChange={(event) => chooseCondition(event.target.value)}
      >
        <option value="">{t('No earlier edge fits')}</option>
        {conditionsOf(step, edge).map((name) => (
          <option key={name} value={name}>
            {t(CONDITIONS[name])}
          </option>
        ))}
      </SelectField>
      {condition === 'on' ? (
        <Choice
          label={t('Event')}
          value={String(edge['on'])}
          options={STEP_EVENTS[step.type as StepKind] ?? []}
          readOnly={!mayEdit}
          onChange={(on) => replace({ ...edge, on })}
        />
      ) : null}
      {condition === 'answer' ? (
        <Choice
          label={t('Answer')}
          value={String(edge['answer'])}
          options={[...new Set(answersIn(step))]}
          readOnly={!mayEdit}
          onChange={(answer) => replace({ ...edge, answer })}
        />
      ) : null}
      {fields.map((field) => (
        <FieldInput
          key={`${at} ${field.name}`}
          field={field}
          value={edge[field.name]}
          readOnly={!mayEdit}
          offers={offers}
          onChange={(value) => set(field.name, value)}
        />
      ))}
    </div>
  );
}

/** One of several names. A value that is none of them is offered, too. */
function Choice({
  label,
  value,
  options,
  readOnly,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly string[];
  readOnly: boolean;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <SelectField
      label={label}
      value={value}
      readOnly={readOnly}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.includes(value) ? null : (
        <option value={value}>{value === '' ? t('Choose one') : value}</option>
      )}
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </SelectField>
  );
}
