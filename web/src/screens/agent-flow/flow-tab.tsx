import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { Button, TextArea } from '../../ui/controls.tsx';
import { Badge, Card, ErrorNote } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { EditCard } from '../agent/edit-card.tsx';
import type { VersionProps } from '../agent/types.ts';
import { flowText, MOST_BYTES, readFlowText, stepsOf } from './flow-text.ts';

/** The flow of a version: its document, and beside it the steps with what the check finds at each. */
export function FlowTab(target: VersionProps): ReactNode {
  const stored = target.version.flow;
  const form = useDraft(flowText(stored), 'Flow');
  const { flow, problem } = readFlowText(form.draft);
  const [chosen, setChosen] = useState(0);
  const [refused, setRefused] = useState<string | null>(null);
  const load = async (file: File): Promise<void> => {
    const isTooLarge = file.size > MOST_BYTES;
    setRefused(isTooLarge ? `${file.name} has more than 64 kB, the most that a flow may have.` : null);
    if (!isTooLarge) form.replace(await file.text());
  };
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <EditCard
        title="Flow"
        intro="The fixed steps of a conversation. Without a flow the instructions lead."
        target={target}
        edit={{ operation: 'edit_flow', flow }}
        before={{ operation: 'edit_flow', flow: stored }}
        form={form}
        problem={problem}
      >
        {(errorOf) => (
          <>
            <TextArea
              label="Document of the flow"
              hint="JSON, as the API takes it. Empty: no flow."
              rows={24}
              spellCheck={false}
              value={form.draft}
              readOnly={!target.mayEdit}
              error={errorOf('flow')}
              onChange={(event) => form.replace(event.target.value)}
            />
            <div className="flex flex-wrap items-center gap-2">
              {target.mayEdit ? (
                <label className="text-sm">
                  Import a file{' '}
                  <input
                    key={chosen}
                    type="file"
                    accept=".json,application/json"
                    onChange={(event) => {
                      const file = event.target.files?.[0];
                      if (file !== undefined) void load(file).then(() => setChosen(chosen + 1));
                    }}
                  />
                </label>
              ) : null}
              <Button
                disabled={form.draft === ''}
                onClick={() => saveFile(new Blob([form.draft], { type: 'application/json' }), 'flow.json')}
              >
                Export the flow
              </Button>
            </div>
            {refused === null ? null : (
              <p role="alert" className="text-sm text-bad">
                {refused}
              </p>
            )}
          </>
        )}
      </EditCard>
      <StepsCard target={target} flow={flow} />
    </div>
  );
}

function StepsCard({ target, flow }: { target: VersionProps; flow: unknown }): ReactNode {
  const settled = useSettled(flow);
  const check = useRead(
    'checkFlow',
    { agent_id: target.agentId, version_id: target.version.version_id, flow: settled as never },
    { enabled: settled !== null, keep: true },
  );
  // The answer of the check belongs to an older text while someone types.
  const isOld = check.isPlaceholderData || JSON.stringify(settled) !== JSON.stringify(flow);
  const steps = stepsOf(flow);
  if (flow === null) {
    return (
      <Card title="Steps">
        <p className="text-muted">No steps yet.</p>
      </Card>
    );
  }
  const faults = isOld ? [] : (check.data?.errors ?? []);
  const warnings = isOld ? [] : (check.data?.warnings ?? []);
  const ids = new Set(steps.map(({ id }) => id));
  const notesOf = (fits: (node: string | null) => boolean): ReactNode => (
    <Notes
      faults={faults.filter(({ node }) => fits(node)).map(({ message }) => message)}
      warnings={warnings.filter(({ node }) => fits(node)).map(({ message }) => message)}
    />
  );
  return (
    <Card title="Steps">
      <div className="flex flex-col gap-4">
        {check.isError ? <ErrorNote error={check.error} /> : null}
        {isOld ? (
          <p className="text-sm text-muted">Checking…</p>
        ) : check.data?.valid === true ? (
          <p className="text-sm text-good">The check finds no fault.</p>
        ) : null}
        {notesOf((node) => node === null || !ids.has(node))}
        <ol className="flex flex-col gap-3" aria-label="Steps of the flow">
          {steps.map(({ id, kind, words, when, ways }, index) => (
            // Two steps may have one id while someone types.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className="rounded-md border border-line p-3 text-sm wrap-anywhere">
              <p className="flex flex-wrap items-center gap-2">
                <code className="font-mono font-medium">{id}</code>
                <Badge>{kind}</Badge>
              </p>
              {words === null ? null : <p className="mt-1">{words}</p>}
              {when === null ? null : <p className="mt-1 text-muted">At any time: {when}</p>}
              {ways.length === 0 ? null : <p className="mt-1 text-muted">{ways.join('; ')}</p>}
              {notesOf((node) => node === id)}
            </li>
          ))}
        </ol>
      </div>
    </Card>
  );
}

function Notes({ faults, warnings }: { faults: readonly string[]; warnings: readonly string[] }): ReactNode {
  if (faults.length + warnings.length === 0) return null;
  return (
    <ul className="mt-1 list-inside list-disc text-sm">
      {[...new Set(faults)].map((message) => (
        <li key={message} className="text-bad">
          {message}
        </li>
      ))}
      {[...new Set(warnings)].map((message) => (
        <li key={message} className="text-warn">
          {message}
        </li>
      ))}
    </ul>
  );
}
