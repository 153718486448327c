import type { ReactNode } from 'react';
import { Button, CheckField, SelectField, TextField } from '../../ui/controls.tsx';
import { ARGUMENT_TYPES, PLACES, SOURCES, type Parameter, type Phase } from './tool-draft.ts';
import { t } from '../../words/words.ts';

const PLACE_NAMES = { path_params: 'Path', query: 'Query', body: 'Body' } as const;
const VALUE_NAMES = {
  fixed: 'Value',
  variable: 'Variable',
  argument: 'What the model should provide',
} as const;
const NEW_PARAMETER: Parameter = {
  place: 'query',
  key: '',
  source: 'fixed',
  value: '',
  type: 'string',
  isRequired: true,
  isSensitive: false,
  stored: null,
};

/** The values of a request: where each goes and where it comes from. */
export function ParametersField({
  parameters,
  phase,
  onChange,
}: {
  parameters: readonly Parameter[];
  phase: Phase;
  onChange: (parameters: readonly Parameter[]) => void;
}): ReactNode {
  const change = (at: number, next: Partial<Parameter>): void =>
    onChange(parameters.map((each, index) => (index === at ? { ...each, ...next } : each)));
  // Only during a call is there a model.
  const sources = Object.entries(SOURCES).filter(([source]) => source !== 'argument' || phase === 'on_call');
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">{t('Parameters')}</legend>
      {parameters.map((each, index) => (
        // A parameter has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="flex flex-col gap-2 rounded-md border border-line p-3">
          <div className="grid gap-2 sm:grid-cols-3">
            <SelectField
              label={t('In')}
              value={each.place}
              onChange={(event) => change(index, { place: event.target.value as Parameter['place'] })}
            >
              {PLACES.map((place) => (
                <option key={place} value={place}>
                  {t(PLACE_NAMES[place])}
                </option>
              ))}
            </SelectField>
            <TextField
              label={t('Parameter')}
              value={each.key}
              onChange={(event) => change(index, { key: event.target.value })}
            />
            <SelectField
              label={t('From')}
              value={each.source}
              onChange={(event) => change(index, { source: event.target.value as Parameter['source'] })}
            >
              {sources.map(([source, name]) => (
                <option key={source} value={source}>
                  {t(name)}
                </option>
              ))}
            </SelectField>
          </div>
          <TextField
            label={VALUE_NAMES[each.source]}
            value={each.value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          {each.source === 'argument' ? (
            <div className="flex flex-wrap items-end gap-4">
              <SelectField
                label={t('Type')}
                value={each.type}
                onChange={(event) => change(index, { type: event.target.value as Parameter['type'] })}
              >
                {ARGUMENT_TYPES.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </SelectField>
              <CheckField
                label={t('Required')}
                checked={each.isRequired}
                onChange={(event) => change(index, { isRequired: event.target.checked })}
              />
              <CheckField
                label={t('Sensitive: hidden from logs, may get sensitive keys')}
                checked={each.isSensitive}
                onChange={(event) => change(index, { isSensitive: event.target.checked })}
              />
            </div>
          ) : null}
          <div>
            <Button
              aria-label={t('Remove parameter {index}', { index: index + 1 })}
              onClick={() => onChange(parameters.filter((_, at) => at !== index))}
            >
              {t('Remove')}
            </Button>
          </div>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...parameters, NEW_PARAMETER])}>{t('Add parameter')}</Button>
      </div>
    </fieldset>
  );
}
