import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { SelectField } from '../../ui/controls.tsx';
import { formatTime } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { RunResults, StateBadge } from './run-results.tsx';
import { t } from '../../words/words.ts';

/** The runs of an assistant, the newest first. */
export function RunCard({ agentId }: { agentId: string }): ReactNode {
  const read = useRead('listTestRuns', { agent_id: agentId });
  const [chosen, setChosen] = useState<string | null>(null);
  const runs = read.data?.test_runs ?? [];
  const [newest] = runs;
  // A run that begins takes the place of the one that was read.
  const [seen, setSeen] = useState(newest?.run_id);
  if (newest !== undefined && seen !== newest.run_id) {
    setSeen(newest.run_id);
    setChosen(null);
  }
  if (newest === undefined) return null;
  const runId = chosen ?? newest.run_id;
  return (
    <Card title={t('Runs')}>
      <div className="flex flex-col gap-4">
        <div className="max-w-md">
          <SelectField label={t('Run')} value={runId} onChange={(event) => setChosen(event.target.value)}>
            {runs.map((run) => (
              <option key={run.run_id} value={run.run_id}>
                {`${formatTime(run.created_at)}, ${run.version_slug}`}
              </option>
            ))}
          </SelectField>
        </div>
        <RunView agentId={agentId} runId={runId} />
      </div>
    </Card>
  );
}

/** One run with its conversations; it fills as the cases end. */
export function RunView({ agentId, runId }: { agentId: string; runId: string }): ReactNode {
  const read = useRead('getTestRun', { agent_id: agentId, run_id: runId }, { keep: true });
  return (
    <Loaded read={read}>
      {({ test_run: run }) => (
        <div className="flex flex-col gap-3">
          <p role="status" className="flex flex-wrap items-center gap-2">
            {run.result === null ? <StateBadge state="running" /> : <StateBadge state={run.result} />}
            <span>{countsOf(run.counts)}</span>
            {run.run_tools ? <span className="text-muted">{t('Tools were really called.')}</span> : null}
          </p>
          <RunResults run={run} />
        </div>
      )}
    </Loaded>
  );
}

const WORDS: readonly (readonly [string, string])[] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['not_judged', 'not judged'],
  ['error', 'not played'],
  ['running', 'running'],
  ['queued', 'queued'],
];
const countsOf = (counts: Readonly<Record<string, number>>): string =>
  WORDS.flatMap(([state, word]) => (counts[state] === undefined ? [] : [`${counts[state]} ${t(word)}`])).join(
    ', ',
  );
