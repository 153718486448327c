import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { Card, ErrorNote, Loading } from '../../ui/page.tsx';
import type { Agent } from '../agent/types.ts';
import { useKnownDraft } from '../agent/use-open-draft.ts';
import { ScenariosInput } from './scenarios-input.tsx';
import { BY_TEXT, SoundFields } from './sound-fields.tsx';
import { t } from '../../words/words.ts';

const USUAL_CALLS = { text: 200, sound: 20 } as const;
const MOST_CALLS = { text: 2_000, sound: 500 } as const;
/** Begins a rehearsal of a version or of the open draft, alone or against another version. */
export function StartCard({
  agent,
  onStarted,
}: {
  agent: Agent;
  onStarted: (rehearsalId: string) => void;
}): ReactNode {
  const draft = useKnownDraft(agent.id);
  const { active_agent_version_id: active } = agent;
  const versions = Object.values(agent.version_details).toSorted((a, b) =>
    b.created_at.localeCompare(a.created_at),
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [against, setAgainst] = useState<string | null>(null);
  const [sound, setSound] = useState(BY_TEXT);
  const { mode, atOnce, recogniser } = sound;
  const [typed, setCalls] = useState<string | null>(null);
  const calls = typed ?? String(USUAL_CALLS[mode]);
  const [seed, setSeed] = useState('1');
  const [file, setFile] = useState('');
  const [maxCost, setMaxCost] = useState('');
  const versionId = chosen ?? draft?.version_id ?? active;
  // A draft is compared with what takes calls now.
  const other = against ?? (versionId === active ? '' : active);
  const start = useChange('startRehearsal', ['listRehearsals'], (_, { rehearsal }) => {
    onStarted(rehearsal.rehearsal_id);
    return t('The rehearsal begins.');
  });
  const input = {
    agent_id: agent.id,
    version_id: versionId,
    ...(other === '' ? {} : { against_version_id: other }),
    ...(file.trim() === '' ? {} : { scenario_file: file }),
    calls: Number(calls),
    seed: Number(seed),
    ...(maxCost.trim() === '' ? {} : { max_cost: Number(maxCost) }),
    ...(mode === 'text' ? {} : { mode, at_once: Number(atOnce), recogniser }),
  };
  const errorOf = (field: string): string | undefined => start.error?.fields.get(field);
  const shownAbove = ['calls', 'seed', 'max_cost', 'at_once'].some((field) => start.error?.fields.has(field));
  // It says what would be rehearsed.
  if (draft === undefined)
    return (
      <Card title={t('Rehearse')}>
        <Loading />
      </Card>
    );
  return (
    <Card title={t('Rehearse')}>
      <form
        className="flex flex-col items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(input);
        }}
      >
        <div className="grid w-full gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <SelectField
            label={t('Version')}
            value={versionId}
            onChange={(event) => {
              setChosen(event.target.value);
              setAgainst(null);
            }}
          >
            {draft == null ? null : <option value={draft.version_id}>{t('The draft')}</option>}
            {versions.map((version) => (
              <option key={version.version_id} value={version.version_id}>
                {version.version_slug}
                {version.version_id === active ? t(', active') : ''}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('Compare with')}
            value={other}
            onChange={(event) => setAgainst(event.target.value)}
          >
            <option value="">{t('Nothing')}</option>
            {versions.map((version) => (
              <option key={version.version_id} value={version.version_id}>
                {version.version_slug}
                {version.version_id === active ? t(', active') : ''}
              </option>
            ))}
          </SelectField>
          <TextField
            label={t('Calls')}
            type="number"
            min={1}
            max={MOST_CALLS[mode]}
            required
            value={calls}
            error={errorOf('calls')}
            onChange={(event) => setCalls(event.target.value)}
          />
          <TextField
            label={t('Seed')}
            hint={t('The same seed, the same callers.')}
            type="number"
            min={0}
            required
            value={seed}
            error={errorOf('seed')}
            onChange={(event) => setSeed(event.target.value)}
          />
          <TextField
            label={t('Cost limit')}
            hint={t('Of callers by a model, in the currency of the price list. Empty: no limit.')}
            type="number"
            min={0}
            step="any"
            value={maxCost}
            error={errorOf('max_cost')}
            onChange={(event) => setMaxCost(event.target.value)}
          />
          <SoundFields sound={sound} atOnceError={errorOf('at_once')} onChange={setSound} />
        </div>
        <ScenariosInput agentId={agent.id} versionId={versionId} file={file} onChange={setFile} />
        {start.isError && !shownAbove ? <ErrorNote error={start.error} /> : null}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={start.isPending}>
            {t('Start the rehearsal')}
          </Button>
          <CopyCurl operation="startRehearsal" input={input} />
        </div>
      </form>
    </Card>
  );
}
