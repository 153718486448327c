import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { formatCode, formatSeconds } from '../../ui/format.tsx';
import { Badge, Card } from '../../ui/page.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { TestsBefore } from '../test-cases/tests-before.tsx';
import type { Agent, Version } from './types.ts';
import { FailedFields } from './edit-card.tsx';
import { t } from '../../words/words.ts';

type Result = Agent['ab_versions'][number];
const share = (part: number, whole: number): ReactNode =>
  whole === 0 ? <span className="text-muted">–</span> : `${part} (${formatShare(part / whole)})`;

const COLUMNS: readonly Column<Result>[] = [
  { title: 'Version', cell: (each) => each.version_slug },
  { title: 'Share', cell: (each) => `${each.call_traffic}%`, isNumber: true },
  { title: 'Calls', cell: (each) => each.calls, isNumber: true },
  { title: 'Answered', cell: (each) => share(each.answered, each.calls), isNumber: true },
  { title: 'Completed', cell: (each) => share(each.completed, each.calls), isNumber: true },
  { title: 'Average length', cell: (each) => formatSeconds(each.average_duration), isNumber: true },
  {
    title: 'Classification',
    cell: ({ classifications }) =>
      classifications.length === 0 ? (
        <span className="text-muted">–</span>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {classifications.map(({ label, calls }) => (
            <li key={label}>
              <Badge>
                {formatCode(label)} {calls}
              </Badge>
            </li>
          ))}
        </ul>
      ),
  },
];

/** New calls split between versions, and how each does. */
export function AbTestCard({
  agent,
  versions,
  mayEdit,
}: {
  agent: Agent;
  versions: readonly Version[];
  mayEdit: boolean;
}): ReactNode {
  const [shares, setShares] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      versions.map((each) => [each.version_id, each.call_traffic === 0 ? '' : String(each.call_traffic)]),
    ),
  );
  const edit = useChange('editAgent', ['getAgent', 'listAgents'], () =>
    t('The A/B test runs with these shares.'),
  );
  const chosen = versions
    .map(({ version_id: id }) => ({ version_id: id, call_traffic: Number(shares[id] ?? '') }))
    .filter(({ call_traffic: percent }) => percent > 0);
  const sum = chosen.reduce((total, { call_traffic: percent }) => total + percent, 0);
  const input = { operation: 'set_ab_test', agent_id: agent.id, versions: chosen } as const;
  return (
    <Card title={t('A/B test')}>
      <div className="flex flex-col gap-4">
        {agent.is_ab_live ? (
          <>
            <p className="text-muted">{t('Results since the test began. Activating a version ends it.')}</p>
            <Table
              caption={t('Results of the A/B test')}
              columns={COLUMNS}
              rows={agent.ab_versions}
              keyOf={(each) => each.version_id}
            />
          </>
        ) : (
          <p className="text-muted">
            {t('No test runs. Give two or more versions a share of the new calls to start one.')}
          </p>
        )}
        {mayEdit && versions.length > 1 ? (
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              edit.mutate(input);
            }}
          >
            <fieldset>
              <legend className="mb-2 text-sm font-medium">{t('Share of new calls, percent')}</legend>
              <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
                {versions.map(({ version_id: id, version_slug: slug }) => (
                  <TextField
                    key={id}
                    label={slug}
                    type="number"
                    min={0}
                    max={100}
                    step={1}
                    value={shares[id] ?? ''}
                    onChange={(event) => setShares({ ...shares, [id]: event.target.value })}
                  />
                ))}
              </div>
            </fieldset>
            <TestsBefore
              agentId={agent.id}
              versions={versions.filter(({ version_id: id }) => Number(shares[id] ?? '') > 0)}
            />
            {edit.isError ? <FailedFields error={edit.error} /> : null}
            <div className="flex flex-wrap items-center gap-2">
              <Button
                type="submit"
                look="primary"
                busy={edit.isPending}
                disabled={chosen.length < 2 || sum !== 100}
              >
                {agent.is_ab_live ? t('Restart with these shares') : t('Start A/B test')}
              </Button>
              <CopyCurl operation="editAgent" input={input} />
              <span role="status" className={`text-sm ${sum === 100 ? 'text-muted' : 'text-bad'}`}>
                {sum === 100
                  ? chosen.length < 2
                    ? t('Give a second version a share.')
                    : ''
                  : t('The shares sum to {sum}, not 100.', { sum })}
              </span>
            </div>
          </form>
        ) : null}
      </div>
    </Card>
  );
}
