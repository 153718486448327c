import type { ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { Badge, ErrorNote } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Agent, Version } from './agent-page.tsx';

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
    versions.find((version) => version.version_id === id)?.version_slug ?? 'The version';
  const edit = useChange('editAgent', ['getAgent', 'listAgents'], (input) => {
    const slug = slugOf(input.version_id);
    if (input.operation === 'create_version') return `${slug} is copied to a new version.`;
    return {
      text: `New calls use ${slug}.`,
      // Activation ends an A/B test, which does not come back with its results.
      undo: agent.is_ab_live
        ? undefined
        : () => call('editAgent', { ...input, version_id: agent.active_agent_version_id }),
    };
  });
  const isActive = (version: Version): boolean => version.version_id === agent.active_agent_version_id;
  const columns: readonly Column<Version>[] = [
    {
      title: 'Version',
      cell: (version) => (
        <span className="flex items-center gap-2">
          {version.version_slug}
          {isActive(version) ? <Badge tone="good">Active</Badge> : null}
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
                  <Button onClick={() => edit.mutate(copy)}>Copy</Button>
                  <CopyCurl operation="editAgent" input={copy} of={`a version like ${slug}`} />
                  {isActive(version) ? null : (
                    <>
                      <Button onClick={() => edit.mutate(activation)}>Activate</Button>
                      <CopyCurl operation="editAgent" input={activation} of={`activation of ${slug}`} />
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
      <h2 className="mb-3 text-base font-semibold">Versions</h2>
      {edit.isError ? <ErrorNote error={edit.error} /> : null}
      <Table caption="Versions" columns={columns} rows={versions} keyOf={(version) => version.version_id} />
    </section>
  );
}
