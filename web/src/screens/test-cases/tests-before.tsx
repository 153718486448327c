import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { RUN_AFFECTS } from './cases-tab.tsx';
import { RunView } from './run-card.tsx';
import { summaryOf } from './results.ts';
import { t } from '../../words/words.ts';

/** Before versions go live: how their test cases stand, and a run of them. Nothing for an assistant without cases. */
export function TestsBefore({
  agentId,
  versions,
}: {
  agentId: string;
  versions: readonly { readonly version_id: string; readonly version_slug: string }[];
}): ReactNode {
  const read = useRead('listTestCases', { agent_id: agentId });
  const run = useChange('runTestCases', RUN_AFFECTS);
  const [runId, setRunId] = useState<string | null>(null);
  const cases = read.data?.test_cases ?? [];
  if (cases.length === 0) return null;
  return (
    <section aria-label={t('Test cases')} className="flex flex-col gap-3 rounded-md border border-line p-4">
      {versions.map(({ version_id: id, version_slug: slug }) => {
        const input = { agent_id: agentId, version_id: id };
        const start = (): void =>
          run.mutate(input, { onSuccess: ({ test_run: begun }) => setRunId(begun.run_id) });
        return (
          <div key={id} className="flex flex-wrap items-center justify-between gap-2">
            <p>{t('Test cases of {slug}: {cases}', { slug, cases: summaryOf(cases, id) })}</p>
            <span className="flex flex-wrap gap-2">
              <CopyCurl
                operation="runTestCases"
                input={input}
                of={t('a run of the test cases with {slug}', { slug })}
              />
              <Button busy={run.isPending} onClick={start}>
                {t('Run test cases of {slug}', { slug })}
              </Button>
            </span>
          </div>
        );
      })}
      {run.isError ? <ErrorNote error={run.error} /> : null}
      {runId === null ? null : <RunView agentId={agentId} runId={runId} />}
    </section>
  );
}
