import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Button, CheckField, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, ErrorNote } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Agent, VersionProps } from '../agent/types.ts';
import { CaseDialog } from './case-dialog.tsx';
import type { Definition, TestCase } from './case-draft.ts';
import { RunCard } from './run-card.tsx';
import { StateBadge } from './run-results.tsx';
import { resultWith, summaryOf } from './results.ts';
import { t } from '../../words/words.ts';

export const RUN_AFFECTS = ['listTestCases', 'listTestRuns', 'getTestRun'] as const;
const NEW_CASE: Definition = {
  name: '',
  custom_args_values: {},
  lines: [],
  expectations: [],
  tool_results: [],
};

/** The test cases of an assistant, run with the version that is shown. */
export function CasesTab({ agent, ...target }: VersionProps & { agent: Agent }): ReactNode {
  const { agentId, version, mayEdit } = target;
  const read = useRead('listTestCases', { agent_id: agentId });
  const run = useChange('runTestCases', RUN_AFFECTS);
  const [opened, setOpened] = useState<{ edit: TestCase } | { remove: TestCase } | 'new' | null>(null);
  const [runsTools, setRunsTools] = useState(false);
  const close = (): void => setOpened(null);
  const input = { agent_id: agentId, version_id: version.version_id, run_tools: runsTools };
  const adding = mayEdit ? <Button onClick={() => setOpened('new')}>{t('New test case')}</Button> : null;
  const slugOf = (id: string): string => agent.version_details[id]?.version_slug ?? t('a deleted version');
  const columns: readonly Column<TestCase>[] = [
    { title: 'Case', cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span> },
    { title: 'Lines', cell: ({ lines }) => lines.length, isNumber: true },
    { title: 'Expectations', cell: ({ expectations }) => expectations.length, isNumber: true },
    {
      title: t('With {versionSlug}', { versionSlug: version.version_slug }),
      cell: (each) => <LastResult testCase={each} version={version} />,
    },
    {
      title: 'With others',
      cell: (each) => (
        <span className="flex flex-wrap gap-x-3 gap-y-1">
          {each.last_results
            .filter((result) => result.version_id !== version.version_id)
            .map((result) => (
              <span key={result.version_id} className="flex items-center gap-1">
                {slugOf(result.version_id)} <StateBadge state={result.result} />
              </span>
            ))}
        </span>
      ),
    },
    ...(mayEdit
      ? [
          {
            title: 'Action',
            cell: (each: TestCase) => {
              const one = { ...input, case_ids: [each.id] };
              return (
                <RowActions>
                  <Button
                    aria-label={t('Run {name}', { name: each.name })}
                    busy={run.isPending}
                    onClick={() => run.mutate(one)}
                  >
                    {t('Run')}
                  </Button>
                  <CopyCurl
                    operation="runTestCases"
                    input={one}
                    of={t('a run of {name}', { name: each.name })}
                  />
                  <Button
                    aria-label={t('Edit {name}', { name: each.name })}
                    onClick={() => setOpened({ edit: each })}
                  >
                    {t('Edit')}
                  </Button>
                  <Button
                    look="danger"
                    aria-label={t('Delete {name}', { name: each.name })}
                    onClick={() => setOpened({ remove: each })}
                  >
                    {t('Delete')}
                  </Button>
                </RowActions>
              );
            },
          },
        ]
      : []),
  ];
  return (
    <div className="flex flex-col gap-6">
      <p className="text-muted">
        {t('Hundreds of simulated callers at once:')}{' '}
        <Link to="/agents/$agentId/rehearsals" params={{ agentId }} className="text-accent underline">
          {t('rehearsals')}
        </Link>
      </p>
      <Loaded read={read}>
        {({ test_cases: cases }) =>
          cases.length === 0 ? (
            <EmptyState title={t('No test cases yet')} icon="circle-check" action={adding}>
              {t(
                'A test case is what a caller says, and what the assistant must do. Save one from “Try it”, from a call or from a chat, or write it. Then run all of them before a version goes live.',
              )}
            </EmptyState>
          ) : (
            <section className="flex flex-col gap-3" aria-label={t('Test cases')}>
              <div className="flex flex-wrap items-center justify-between gap-3">
                <p>{summaryOf(cases, version.version_id)}</p>
                <div className="flex flex-wrap gap-2">
                  {adding}
                  {mayEdit ? (
                    <>
                      <CopyCurl operation="runTestCases" input={input} />
                      <Button look="primary" busy={run.isPending} onClick={() => run.mutate(input)}>
                        {t('Run all with {versionSlug}', { versionSlug: version.version_slug })}
                      </Button>
                    </>
                  ) : null}
                </div>
              </div>
              {mayEdit ? (
                <CheckField
                  label={t(
                    'Really call tools that have no answer in the case; otherwise they only show what they would get',
                  )}
                  checked={runsTools}
                  onChange={(event) => setRunsTools(event.target.checked)}
                />
              ) : null}
              {run.isError ? <ErrorNote error={run.error} /> : null}
              <Table caption={t('Test cases')} columns={columns} rows={cases} keyOf={({ id }) => id} />
            </section>
          )
        }
      </Loaded>
      <RunCard agentId={agentId} />
      {opened === 'new' ? <CaseDialog agentId={agentId} begin={NEW_CASE} onClose={close} /> : null}
      {opened !== null && opened !== 'new' && 'edit' in opened ? (
        <CaseDialog agentId={agentId} caseId={opened.edit.id} begin={opened.edit} onClose={close} />
      ) : null}
      {opened !== null && opened !== 'new' && 'remove' in opened ? (
        <DeleteDialog testCase={opened.remove} onClose={close} />
      ) : null}
    </div>
  );
}

function LastResult({
  testCase,
  version,
}: {
  testCase: TestCase;
  version: VersionProps['version'];
}): ReactNode {
  const result = resultWith(testCase, version.version_id);
  if (result === null) return <span className="text-muted">{t('Not run')}</span>;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <StateBadge state={result.result} />
      {result.is_current ? null : <span className="text-sm text-muted">{t('before the last change')}</span>}
    </span>
  );
}

function DeleteDialog({ testCase, onClose }: { testCase: TestCase; onClose: () => void }): ReactNode {
  const remove = useChange('deleteTestCase', ['listTestCases'], () =>
    t('The test case “{name}” is deleted.', { name: testCase.name }),
  );
  const input = { agent_id: testCase.agent_id, case_id: testCase.id };
  return (
    <ConfirmDialog
      title={t('Delete “{name}”?', { name: testCase.name })}
      action={t('Delete test case')}
      isBusy={remove.isPending}
      error={remove.error}
      curl={<CopyCurl operation="deleteTestCase" input={input} />}
      onConfirm={() => remove.mutate(input, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('The case goes for good. The results of its runs stay.')}
    </ConfirmDialog>
  );
}
