import type { ReactNode } from 'react';
import { SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { PairsField } from '../../ui/pairs-field.tsx';
import { ParametersField } from './parameters-field.tsx';
import type { Phase, RequestDraft } from './tool-draft.ts';
import { t } from '../../words/words.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const LONGEST_SECONDS: Readonly<Record<Phase, number>> = { pre_call: 15, on_call: 10, post_call: 30 };

/** The fields of a request to a server of the agent's owner. */
export function RequestToolForm({
  draft,
  phase,
  set,
}: {
  draft: RequestDraft;
  phase: Phase;
  set: (change: Partial<RequestDraft>) => void;
}): ReactNode {
  return (
    <>
      <TextField
        label={t('Name of the tool')}
        required
        pattern="[a-z][a-z0-9_]{0,63}"
        hint={t('Lower-case letters, digits and underscores, such as find_slots.')}
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextArea
        label={phase === 'on_call' ? t('When to use it') : t('What it is for')}
        rows={2}
        required={phase === 'on_call'}
        maxLength={1000}
        hint={phase === 'on_call' ? t('The model decides by these words.') : undefined}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <div className="grid gap-3 sm:grid-cols-[8rem_1fr]">
        <SelectField
          label={t('Method')}
          value={draft.method}
          onChange={(event) => set({ method: event.target.value })}
        >
          {METHODS.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </SelectField>
        <TextField
          label={t('Address')}
          required
          maxLength={2048}
          hint={t('{name} in the path takes a path parameter.')}
          value={draft.url}
          onChange={(event) => set({ url: event.target.value })}
        />
      </div>
      <PairsField
        label={t('Headers')}
        nameLabel={t('Header')}
        valueLabel={t('Value')}
        pairs={draft.headers}
        onChange={(headers) => set({ headers })}
      />
      <ParametersField
        parameters={draft.parameters}
        phase={phase}
        onChange={(parameters) => set({ parameters })}
      />
      {phase === 'post_call' ? null : (
        <PairsField
          label={t('Variables from the answer')}
          nameLabel={t('Variable')}
          valueLabel={t('Path in the answer')}
          pairs={draft.results}
          onChange={(results) => set({ results })}
        />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={t('Body as')}
          value={draft.bodyFormat}
          onChange={(event) => set({ bodyFormat: event.target.value })}
        >
          <option value="json">JSON</option>
          <option value="form">{t('Form')}</option>
        </SelectField>
        <TextField
          label={t('Time limit, seconds')}
          type="number"
          min={1}
          max={LONGEST_SECONDS[phase]}
          hint={t('Empty: usual. At most {LONGEST_SECONDS}.', { LONGEST_SECONDS: LONGEST_SECONDS[phase] })}
          value={draft.timeout}
          onChange={(event) => set({ timeout: event.target.value })}
        />
      </div>
      {phase === 'pre_call' ? (
        <SelectField
          label={t('When it fails')}
          value={draft.onFailure}
          onChange={(event) => set({ onFailure: event.target.value })}
        >
          <option value="continue">{t('Call anyway')}</option>
          <option value="fail_call">{t('Do not call')}</option>
        </SelectField>
      ) : null}
    </>
  );
}
