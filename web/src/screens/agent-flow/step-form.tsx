import { useState, type ReactNode } from 'react';
import { Button, CheckField, SelectField, TextField } from '../../ui/controls.tsx';
import { CheckNotes, type FlowCheck } from './flow-check.tsx';
import { STEP_KINDS, stepsIn, type FlowDocument, type Step, type StepKind } from './flow-document.ts';
import { FieldInput, type Offers } from './field-input.tsx';
import { GLOBAL_STEP_FIELDS, KIND_NAMES, STEP_FIELDS } from './step-fields.ts';
import type { FlowEditor } from './use-flow-editor.ts';
import { t } from '../../words/words.ts';

export interface FormProps {
  flow: FlowDocument;
  edit: FlowEditor['edit'];
  mayEdit: boolean;
  offers: Offers;
  check: FlowCheck;
}

/** The fields of one step. */
export function StepForm({
  flow,
  edit,
  mayEdit,
  offers,
  check,
  place,
}: FormProps & { place: number }): ReactNode {
  const step = stepsIn(flow)[place];
  if (step === undefined) return null;
  const isGlobal = place >= flow.nodes.length;
  const own = STEP_FIELDS[step.type as StepKind] ?? [];
  const isOwn = (name: string): boolean => own.some((field) => field.name === name);
  const fields = [...own, ...(isGlobal ? GLOBAL_STEP_FIELDS.filter(({ name }) => !isOwn(name)) : [])];
  return (
    <div className="flex flex-col gap-4">
      <CheckNotes check={check} fits={(node) => node === step.id} />
      {fields.map((field, index) => (
        <div key={field.name} data-field={field.name} data-main={index === 0 ? '' : undefined}>
          <FieldInput
            field={field}
            value={step[field.name]}
            readOnly={!mayEdit}
            offers={offers}
            onChange={(value) =>
              edit({ does: 'set', step: place, field: field.name, value }, `${place} ${field.name}`)
            }
          />
          {field.form === 'variable' ? (
            <MissingVariable name={step[field.name]} flow={flow} edit={edit} mayEdit={mayEdit} />
          ) : null}
        </div>
      ))}
      <div data-name="">
        <NameField
          key={step.id}
          step={step}
          readOnly={!mayEdit}
          isTaken={(id) => stepsIn(flow).some((each) => each.id === id)}
          onRename={(id) => edit({ does: 'rename', step: place, id })}
        />
      </div>
      <SelectField
        label={t('Kind of step')}
        value={step.type}
        readOnly={!mayEdit}
        onChange={({ target }) => edit({ does: 'retype', step: place, kind: target.value as StepKind })}
      >
        {STEP_KINDS.some((kind) => kind === step.type) ? null : (
          <option value={step.type}>{step.type}</option>
        )}
        {STEP_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(KIND_NAMES[kind])}
          </option>
        ))}
      </SelectField>
      {mayEdit ? <WaysIn flow={flow} step={step} place={place} isGlobal={isGlobal} edit={edit} /> : null}
    </div>
  );
}

/** How conversations come to the step besides by its edges. */
function WaysIn({
  flow,
  step,
  place,
  isGlobal,
  edit,
}: {
  flow: FlowDocument;
  step: Step;
  place: number;
  isGlobal: boolean;
  edit: FlowEditor['edit'];
}): ReactNode {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{t('Ways to this step')}</legend>
      <CheckField
        label={t('Conversations begin here')}
        checked={flow.start === step.id}
        disabled={flow.start === step.id}
        onChange={() => edit({ does: 'start', step: place })}
      />
      <CheckField
        label={t('Conversations go on here where no edge fits')}
        checked={flow.stuck === step.id}
        onChange={(event) => edit({ does: 'stuck', id: event.target.checked ? step.id : null })}
      />
      <CheckField
        label={t('Callers reach it from every question')}
        checked={isGlobal}
        onChange={() => edit({ does: 'globalise', step: place })}
      />
    </fieldset>
  );
}

/** The name of the step, which changes when the field is left: edges follow whole names only. */
function NameField({
  step,
  readOnly,
  isTaken,
  onRename,
}: {
  step: Step;
  readOnly: boolean;
  isTaken: (id: string) => boolean;
  onRename: (id: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState(step.id);
  const isOther = typed !== step.id;
  const error =
    typed === ''
      ? t('A step needs a name.')
      : isOther && isTaken(typed)
        ? t('Another step has this name.')
        : undefined;
  return (
    <TextField
      label={t('Name of the step')}
      hint={t('Edges that lead to it follow.')}
      spellCheck={false}
      autoComplete="off"
      maxLength={40}
      value={typed}
      error={error}
      readOnly={readOnly}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && isOther && error === undefined) onRename(typed);
      }}
      onBlur={() => {
        if (isOther && error === undefined) onRename(typed);
      }}
    />
  );
}

/** Offers to add the variable that a step fills and the flow lacks. */
function MissingVariable({
  name,
  flow,
  edit,
  mayEdit,
}: Pick<FormProps, 'flow' | 'edit' | 'mayEdit'> & { name: unknown }): ReactNode {
  const variables = flow.variables ?? [];
  const isMissing = typeof name === 'string' && name !== '' && !variables.some((each) => each.name === name);
  if (!isMissing || !mayEdit) return null;
  return (
    <div className="mt-2">
      <Button
        onClick={(event) => {
          // The button goes; the focus stays in the form.
          event.currentTarget.closest('[data-field]')?.querySelector('input')?.focus();
          edit({ does: 'variables', variables: [...variables, { name, type: 'text' }] });
        }}
      >
        {t('Add the variable {name}', { name })}
      </Button>
    </div>
  );
}
