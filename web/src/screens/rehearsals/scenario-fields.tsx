import { LANGUAGES } from '@callwright/language';
import type { ReactNode } from 'react';
import { Button, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { formatLanguage } from '../../ui/format.tsx';
import { LineFields } from './line-fields.tsx';
import { ExpectationFields, FactFields } from './scenario-lists.tsx';
import { HABITS, LINES, TEMPERS, type Habit, type ScenarioDraft } from './scenario-draft.ts';
import { t } from '../../words/words.ts';

/** The fields of one scenario: who calls, what the caller knows and does, and what must happen. */
export function ScenarioFields({
  place,
  draft,
  onChange,
  onRemove,
}: {
  place: number;
  draft: ScenarioDraft;
  onChange: (next: Partial<ScenarioDraft>) => void;
  onRemove: () => void;
}): ReactNode {
  return (
    <fieldset className="flex w-full min-w-0 flex-col gap-4 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-medium">{t('Scenario {place}', { place })}</legend>
      <div className="grid w-full gap-4 sm:grid-cols-2">
        <TextField
          label={t('Name of scenario {place}', { place })}
          required
          maxLength={200}
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <SelectField
          label={t('Temper of caller {place}', { place })}
          value={draft.temper}
          onChange={(event) => onChange({ temper: event.target.value as ScenarioDraft['temper'] })}
        >
          {Object.entries(TEMPERS).map(([temper, name]) => (
            <option key={temper} value={temper}>
              {t(name)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('Words of caller {place}', { place })}
          value={draft.lines}
          onChange={(event) => onChange({ lines: event.target.value as ScenarioDraft['lines'] })}
        >
          {Object.entries(LINES).map(([lines, name]) => (
            <option key={lines} value={lines}>
              {t(name)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('Language of caller {place}', { place })}
          value={draft.language}
          onChange={(event) => onChange({ language: event.target.value })}
        >
          <option value="">{t('Same as the assistant')}</option>
          {LANGUAGES.map((tag) => (
            <option key={tag} value={tag}>
              {formatLanguage(tag)}
            </option>
          ))}
        </SelectField>
      </div>
      <TextArea
        label={t('Goal of caller {place}', { place })}
        rows={2}
        required
        maxLength={1_000}
        value={draft.goal}
        onChange={(event) => onChange({ goal: event.target.value })}
      />
      <FactFields place={place} facts={draft.facts} onChange={(facts) => onChange({ facts })} />
      <fieldset className="w-full min-w-0">
        <legend className="text-sm font-medium">
          {t('Habits of caller {place}, in percent', { place })}
        </legend>
        <div className="mt-2 grid w-full gap-4 sm:grid-cols-3">
          {Object.entries(HABITS).map(([habit, name]) => (
            <TextField
              key={habit}
              label={`${t(name)} (${place})`}
              type="number"
              min={0}
              max={100}
              value={draft.habits[habit as Habit] ?? ''}
              onChange={(event) => onChange({ habits: { ...draft.habits, [habit]: event.target.value } })}
            />
          ))}
        </div>
      </fieldset>
      <LineFields place={place} line={draft.line} onChange={(line) => onChange({ line })} />
      <ExpectationFields
        place={place}
        expectations={draft.expectations}
        onChange={(expectations) => onChange({ expectations })}
      />
      <div>
        <Button aria-label={t('Remove scenario {place}', { place })} onClick={onRemove}>
          {t('Remove the scenario')}
        </Button>
      </div>
    </fieldset>
  );
}
