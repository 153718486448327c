import type { ReactNode } from 'react';
import { SelectField, TextField } from '../../ui/controls.tsx';
import type { LineDraft } from './scenario-draft.ts';
import { t } from '../../words/words.ts';

/** How a caller sounds, and over which line. */
export function LineFields({
  place,
  line,
  onChange,
}: {
  place: number;
  line: LineDraft;
  onChange: (line: LineDraft) => void;
}): ReactNode {
  const set = (next: Partial<LineDraft>): void => onChange({ ...line, ...next });
  return (
    <fieldset className="w-full min-w-0">
      <legend className="text-sm font-medium">{t('Voice and line of caller {place}', { place })}</legend>
      <p className="mt-1 text-sm text-muted">
        {t('By text, only speed and noise count: a noisy line loses words.')}
      </p>
      <div className="mt-2 grid w-full gap-4 sm:grid-cols-3">
        <TextField
          label={t('Speed of caller {place}, in percent', { place })}
          type="number"
          min={50}
          max={200}
          value={line.speed}
          onChange={(event) => set({ speed: event.target.value })}
        />
        <SelectField
          label={t('Noise of caller {place}', { place })}
          value={line.noise}
          onChange={(event) => set({ noise: event.target.value })}
        >
          <option value="">{t('Quiet')}</option>
          <option value="street">{t('A street')}</option>
          <option value="car">{t('A car')}</option>
          <option value="bad_line">{t('A bad line')}</option>
        </SelectField>
        <SelectField
          label={t('Voice of caller {place}', { place })}
          value={line.voice}
          onChange={(event) => set({ voice: event.target.value })}
        >
          <option value="">{t('Default voice')}</option>
          <option value="man">{t('A man')}</option>
          <option value="woman">{t('A woman')}</option>
          <option value="scottish">{t('A man with a Scottish accent')}</option>
          <option value="natural_man">{t('A man, natural')}</option>
          <option value="natural_woman">{t('A woman, natural')}</option>
          <option value="synthetic_man">{t('A man, synthetic')}</option>
          <option value="synthetic_woman">{t('A woman, synthetic')}</option>
        </SelectField>
        <SelectField
          label={t('Codec of caller {place}', { place })}
          value={line.codec}
          onChange={(event) => set({ codec: event.target.value })}
        >
          <option value="">{t('Any codec')}</option>
          <option value="PCMU">PCMU</option>
          <option value="PCMA">PCMA</option>
        </SelectField>
        <TextField
          label={t('Lost packets of caller {place}, in percent', { place })}
          type="number"
          min={0}
          max={50}
          step="any"
          value={line.loss}
          onChange={(event) => set({ loss: event.target.value })}
        />
        <TextField
          label={t('Echo of caller {place}, in dB', { place })}
          type="number"
          min={-60}
          max={-6}
          step="any"
          value={line.echo}
          onChange={(event) => set({ echo: event.target.value })}
        />
      </div>
    </fieldset>
  );
}
