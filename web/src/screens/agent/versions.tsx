import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Time } from '../../ui/format.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { TestsBefore } from '../test-cases/tests-before.tsx';
import { RunningCampaigns, UndeclaredNote } from './before-live.tsx';
import type { Agent, Version } from './types.ts';
import { undeclaredIn } from './undeclared.ts';
import { t } from '../../words/words.ts';

/** The versions: which one new calls use, and copies to change without touching it. */
export function Versions({
  agent,
  versions,
  mayEdit,
}: {
  agent: Agent;
  versions: readonly Version[];
  mayEdit: boolean;
}): ReactNode {
  const slugOf = (id: string | undefined): string =>
    versions.find((version) => version.version_id === id)?.version_slug ?? t('The version');
  const edit = useChange('editAgent', ['getAgent', 'listAgents'], (input) => {
    const slug = slugOf(input.version_id);
    if (input.operation === 'create_version') return t('{slug} is copied to a new version.', { slug });
    return {
      text: t('New calls use {slug}.', { slug }),
      // Activation ends an A/B test, which does not come back with its results.
      undo: agent.is_ab_live
        ? undefined
        : () => call('editAgent', { ...input, version_id: agent.active_agent_version_id }),
    };
  });
  const cases = useRead('listTestCases', { agent_id: agent.id });
  const hasCases = (cases.data?.test_cases.length ?? 0) > 0;
  const [asking, setAsking] = useState<Version | null>(null);
  const isActive = (version: Version): boolean => version.version_id === agent.active_agent_version_id;
  const columns: readonly Column<Version>[] = [
    {
      title: 'Version',
      cell: (version) => (
        <span className="flex items-center gap-2">
          {version.version_slug}
          {isActive(version) ? <Badge tone="good">{t('Active')}</Badge> : null}
        </span>
      ),
    },
    { title: 'Description', cell: (version) => version.description || <span className="text-muted">–</span> },
    { title: 'Traffic', cell: (version) => `${version.call_traffic}%`, isNumber: true },
    { title: 'Created', cell: (version) => <Time iso={version.created_at} isBrief /> },
    { title: 'Changed', cell: (version) => <Time iso={version.updated_at} isBrief /> },
    ...(mayEdit
      ? [
          {
            title: 'Action',
            cell: (version: Version) => {
              const target = { agent_id: agent.id, version_id: version.version_id };
              const copy = { operation: 'create_version', ...target } as const;
              const activation = { operation: 'activate_version', ...target } as const;
              const slug = version.version_slug;
              return (
                <RowActions>
                  <Button onClick={() => edit.mutate(copy)}>{t('Duplicate')}</Button>
                  <CopyCurl operation="editAgent" input={copy} of={t('a version like {slug}', { slug })} />
                  {isActive(version) ? null : (
                    <>
                      <Button
                        // Test cases ask for a look before new calls use the version.
                        disabled={cases.isPending}
                        onClick={() =>
                          hasCases || undeclaredIn(version).length > 0
                            ? setAsking(version)
                            : edit.mutate(activation)
                        }
                      >
                        {t('Activate')}
                      </Button>
                      <CopyCurl
                        operation="editAgent"
                        input={activation}
                        of={t('activation of {slug}', { slug })}
                      />
                    </>
                  )}
                </RowActions>
              );
            },
          },
        ]
      : []),
  ];
  return (
    <section>
      <h2 className="mb-3 text-base font-semibold">{t('Versions')}</h2>
      {edit.isError ? <ErrorNote error={edit.error} /> : null}
      <Table
        caption={t('Versions')}
        columns={columns}
        rows={versions}
        keyOf={(version) => version.version_id}
      />
      {asking === null ? null : (
        <Dialog
          title={t('Activate {versionSlug}?', { versionSlug: asking.version_slug })}
          isWide
          onClose={() => setAsking(null)}
        >
          <div className="flex flex-col gap-4">
            <p className="text-muted">
              {t('New calls use it at once.')}
              {hasCases ? ` ${t('Its test cases show what it would do.')}` : ''}
            </p>
            <UndeclaredNote version={asking} />
            <RunningCampaigns agentId={agent.id} />
            {hasCases ? <TestsBefore agentId={agent.id} versions={[asking]} /> : null}
            {edit.isError ? <ErrorNote error={edit.error} /> : null}
            <div className="flex flex-wrap justify-end gap-2">
              <Button onClick={() => setAsking(null)}>{t('Cancel')}</Button>
              <Button
                look="primary"
                busy={edit.isPending}
                onClick={() =>
                  edit.mutate(
                    { operation: 'activate_version', agent_id: agent.id, version_id: asking.version_id },
                    { onSuccess: () => setAsking(null) },
                  )
                }
              >
                {t('Activate {versionSlug}', { versionSlug: asking.version_slug })}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </section>
  );
}
