import { useState, type ReactNode } from 'react';
import { Button, TextArea } from '../../ui/controls.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { DraftScenarios } from './draft-scenarios.tsx';
import { NEW_SCENARIO, toFile, type ScenarioDraft } from './scenario-draft.ts';
import { ScenarioFields } from './scenario-fields.tsx';
import { t } from '../../words/words.ts';

const MOST = 20;
const EXAMPLE = `name: Books a check-up
persona:
  goal: An appointment on Friday.
  answers:
    - { asked: [which day], says: On Friday. }
  habits: { interrupts: 0.3 }
expect:
  - { type: says, any_of: [we will confirm it] }
  - { type: replies_within, seconds: 2.5 }`;

/** The scenarios of a rehearsal: fields, or the text of a file. `onChange` gets the file; '': those of the agent. */
export function ScenariosInput({
  agentId,
  versionId,
  file,
  onChange,
}: {
  agentId: string;
  versionId: string;
  file: string;
  onChange: (file: string) => void;
}): ReactNode {
  const [way, setWay] = useState<'text' | 'fields'>('text');
  const [drafts, setDrafts] = useState<readonly ScenarioDraft[]>([]);
  const set = (next: readonly ScenarioDraft[]): void => {
    setDrafts(next);
    onChange(next.length === 0 ? '' : toFile(next));
  };
  return (
    <div className="flex w-full flex-col items-start gap-4">
      <Segmented
        label={t('How to write scenarios')}
        value={way}
        options={[
          ['text', 'As text'],
          ['fields', 'With fields'],
        ]}
        onChange={(next) => {
          setWay(next);
          if (next === 'fields') set(drafts.length === 0 ? [NEW_SCENARIO] : drafts);
        }}
      />
      {way === 'text' ? (
        <div className="w-full">
          <TextArea
            label={t('Scenarios')}
            hint={t(
              'The text of a file in YAML or JSON. Empty: one for each way through the flow of the version, or callers for what its prompt says.',
            )}
            rows={8}
            placeholder={EXAMPLE}
            value={file}
            onChange={(event) => onChange(event.target.value)}
          />
          <div className="mt-4">
            <DraftScenarios agentId={agentId} versionId={versionId} onDrafted={onChange} />
          </div>
        </div>
      ) : (
        <>
          {drafts.map((draft, index) => (
            <ScenarioFields
              // A scenario has no other identity than its place while it is typed.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              place={index + 1}
              draft={draft}
              onChange={(next) => set(drafts.map((each, at) => (at === index ? { ...each, ...next } : each)))}
              onRemove={() => set(drafts.filter((_, at) => at !== index))}
            />
          ))}
          {drafts.length < MOST ? (
            <Button onClick={() => set([...drafts, NEW_SCENARIO])}>{t('Add a scenario')}</Button>
          ) : null}
        </>
      )}
    </div>
  );
}
