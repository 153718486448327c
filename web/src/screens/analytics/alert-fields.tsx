import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { Button, SelectField, TextField } from '../../ui/controls.tsx';
import { DETECTOR_NAMES } from '../call/detector-names.ts';
import type { AlertDraft } from './alert-draft.ts';
import { t } from '../../words/words.ts';

const FIGURES = [
  ['threshold', 'Threshold', 0, 100],
  ['margin', 'Clears this far beyond it', 0, 50],
  ['calls', 'Minimum of calls', 1, 100_000],
  ['hours', 'Window (hours)', 1, 168],
] as const;

/** The fields of one rule. */
export function AlertFields({
  place,
  draft,
  agents,
  onChange,
  onRemove,
}: {
  place: number;
  draft: AlertDraft;
  agents: Answer<'listAgents'>['data']['agents'];
  onChange: (next: Partial<AlertDraft>) => void;
  onRemove: () => void;
}): ReactNode {
  const isScore = draft.measure === 'score_below';
  return (
    <fieldset className="flex w-full min-w-0 flex-col gap-3 rounded-md border border-line p-4">
      <legend className="px-1 text-sm font-medium">{t('Alert {place}', { place })}</legend>
      <div className="grid w-full gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <TextField
          label={t('Name of alert {place}', { place })}
          required
          maxLength={80}
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <SelectField
          label={t('Assistant of alert {place}', { place })}
          value={draft.agentId}
          onChange={(event) => onChange({ agentId: event.target.value })}
        >
          <option value="">{t('Every assistant')}</option>
          {agents.map(({ id, agent_display_name: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('Figure of alert {place}', { place })}
          value={draft.measure}
          onChange={(event) => onChange({ measure: event.target.value as AlertDraft['measure'] })}
        >
          <option value="findings_above">{t('Calls with a finding (%) above')}</option>
          <option value="score_below">{t('Mean score below')}</option>
        </SelectField>
        <SelectField
          label={t('Detector of alert {place}', { place })}
          value={isScore ? '' : draft.detector}
          disabled={isScore}
          onChange={(event) => onChange({ detector: event.target.value })}
        >
          <option value="">{t('Any detector')}</option>
          {Object.entries(DETECTOR_NAMES).map(([detector, name]) => (
            <option key={detector} value={detector}>
              {t(name)}
            </option>
          ))}
        </SelectField>
        {FIGURES.map(([key, name, min, max]) => (
          <TextField
            key={key}
            label={`${t(name)} (${place})`}
            type="number"
            required
            min={min}
            max={max}
            value={draft[key]}
            onChange={(event) => onChange({ [key]: event.target.value })}
          />
        ))}
      </div>
      <div>
        <Button aria-label={t('Remove alert {place}', { place })} onClick={onRemove}>
          {t('Remove')}
        </Button>
      </div>
    </fieldset>
  );
}
