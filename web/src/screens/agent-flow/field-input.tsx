import { useId, useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { VariableArea } from '../../parts/variable-area.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { ChosenField, type Choice } from './chosen-field.tsx';
import { ANSWERS, completions, keptValue, LINES, PAIRS, type TextForm } from './field-text.ts';
import { ANSWER_KINDS, INTERRUPTION_RULES, type FieldForm, type StepField } from './step-fields.ts';
import { t } from '../../words/words.ts';

/** Names that fields offer. */
export interface Offers {
  readonly variables: readonly string[];
  readonly tools: readonly string[];
  readonly bases: readonly Choice[];
  /** Of the assistant; voices must speak it. */
  readonly language: string;
}
interface InputProps {
  field: StepField;
  value: unknown;
  readOnly: boolean;
  offers: Offers;
  onChange: (value: unknown) => void;
}

const TEXT_FORMS: Readonly<Partial<Record<FieldForm, TextForm>>> = {
  lines: LINES,
  pairs: PAIRS,
  answers: ANSWERS,
};
const asText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** One field of a step or edge. */
export function FieldInput({ field, value, readOnly, offers, onChange }: InputProps): ReactNode {
  const { label, form, isNeeded = false } = field;
  const change = (next: unknown): void => onChange(keptValue(next, isNeeded));
  const common = { label, ...(field.hint === undefined ? {} : { hint: field.hint }) };
  const textForm = TEXT_FORMS[form];
  if (textForm !== undefined)
    return <PartsArea {...common} parts={textForm} value={value} readOnly={readOnly} onChange={change} />;
  const text = asText(value);
  if (form === 'tools' || form === 'bases')
    return (
      <ChosenField
        {...common}
        choices={form === 'tools' ? offers.tools.map((name) => ({ id: name, name })) : offers.bases}
        value={value}
        readOnly={readOnly}
        onChange={onChange}
      />
    );
  if (form === 'check')
    return (
      <CheckField
        label={label}
        checked={value === true}
        readOnly={readOnly}
        onChange={(event) => change(event.target.checked)}
      />
    );
  if (form === 'area')
    return (
      <VariableArea
        {...common}
        rows={3}
        variables={offers.variables}
        value={text}
        readOnly={readOnly}
        onChange={(event) => change(event.target.value)}
      />
    );
  if (form === 'count')
    return (
      <TextField
        {...common}
        inputMode="numeric"
        value={text}
        readOnly={readOnly}
        onChange={(event) =>
          change(/^\d+$/.test(event.target.value) ? Number(event.target.value) : event.target.value)
        }
      />
    );
  if (form === 'context')
    return <ContextSelect {...common} value={value} readOnly={readOnly} onChange={change} />;
  if (form === 'agent') return <AgentSelect {...common} value={text} readOnly={readOnly} onChange={change} />;
  if (form === 'voice')
    return (
      <VoiceSelect
        {...common}
        language={offers.language}
        value={text}
        readOnly={readOnly}
        onChange={change}
      />
    );
  if (form === 'capture' || form === 'interruption')
    return (
      <SelectField
        {...common}
        value={text}
        readOnly={readOnly}
        onChange={(event) => change(event.target.value)}
      >
        <option value="">
          {form === 'capture' ? t('By the type of the variable') : t('As set for the assistant')}
        </option>
        {Object.entries(form === 'capture' ? ANSWER_KINDS : INTERRUPTION_RULES).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {t(name)}
          </option>
        ))}
      </SelectField>
    );
  const options =
    form === 'variable'
      ? offers.variables
      : form === 'tool'
        ? offers.tools
        : form === 'expression'
          ? completions(text, offers.variables)
          : [];
  return <OfferedField {...common} options={options} value={text} readOnly={readOnly} onChange={change} />;
}

interface Common {
  label: string;
  hint?: string;
  readOnly: boolean;
  onChange: (value: unknown) => void;
}

/** A text field that offers names while one types. */
function OfferedField({
  options,
  value,
  onChange,
  ...common
}: Common & { options: readonly string[]; value: string }): ReactNode {
  const id = useId();
  return (
    <div>
      <TextField
        {...common}
        spellCheck={false}
        autoComplete="off"
        list={options.length === 0 ? undefined : id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {options.length === 0 ? null : (
        <datalist id={id}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </div>
  );
}

/** A text of several parts. It stays as typed while it means the value. */
function PartsArea({
  parts,
  value,
  onChange,
  ...common
}: Common & { parts: TextForm; value: unknown }): ReactNode {
  const [typed, setTyped] = useState(() => parts.write(value));
  const written = parts.write(value);
  const text = parts.write(parts.read(typed)) === written ? typed : written;
  return (
    <TextArea
      {...common}
      rows={3}
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(parts.read(event.target.value));
      }}
    />
  );
}

const LINE_COUNTS = [2, 4, 6, 10, 20, 50];

const NAMED_CONTEXTS: readonly unknown[] = ['none', 'summary'];

function ContextSelect({ value, onChange, readOnly, ...common }: Common & { value: unknown }): ReactNode {
  const last = typeof value === 'object' && value !== null && 'last' in value ? Number(value.last) : null;
  const counts = last === null || LINE_COUNTS.includes(last) ? LINE_COUNTS : [last, ...LINE_COUNTS];
  return (
    <SelectField
      {...common}
      readOnly={readOnly}
      value={last === null ? (NAMED_CONTEXTS.includes(value) ? String(value) : '') : String(last)}
      onChange={({ target }) =>
        onChange(
          target.value === '' || NAMED_CONTEXTS.includes(target.value)
            ? target.value
            : { last: Number(target.value) },
        )
      }
    >
      <option value="">{t('The whole conversation')}</option>
      {counts.map((count) => (
        <option key={count} value={count}>
          {t('The last {count} lines', { count })}
        </option>
      ))}
      <option value="summary">{t('A summary')}</option>
      <option value="none">{t('Nothing')}</option>
    </SelectField>
  );
}

/** The voices that speak the language of the assistant. */
function VoiceSelect({ language, ...field }: Common & { language: string; value: string }): ReactNode {
  const voices = useRead('listVoices', { language }).data?.voices ?? [];
  return <NamedSelect {...field} none={t('Same as the assistant')} options={voices} />;
}

function AgentSelect(field: Common & { value: string }): ReactNode {
  const agents = useRead('listAgents', { limit: 100 }).data?.data.agents ?? [];
  const options = agents.map(({ id, agent_display_name: name }) => ({ id, name }));
  return <NamedSelect {...field} none={t('Choose one')} options={options} />;
}

/** One of these by its id; an id that the list lacks stays. `none`: the text of no choice. */
function NamedSelect({
  none,
  options,
  value,
  onChange,
  readOnly,
  ...common
}: Common & {
  none: string;
  options: readonly { id: string; name: string }[];
  value: string;
}): ReactNode {
  const isListed = value === '' || options.some(({ id }) => id === value);
  return (
    <SelectField
      {...common}
      readOnly={readOnly}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{none}</option>
      {isListed ? null : <option value={value}>{value}</option>}
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
