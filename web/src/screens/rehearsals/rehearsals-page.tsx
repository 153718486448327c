import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { buttonClass, SelectField } from '../../ui/controls.tsx';
import { formatTime } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, EmptyState, Page } from '../../ui/page.tsx';
import { RehearsalView } from './rehearsal-view.tsx';
import { StartCard } from './start-card.tsx';
import { t } from '../../words/words.ts';

/** Simulated callers call an assistant: begin a rehearsal, follow it, and open its worst calls. */
export function RehearsalsPage(): ReactNode {
  const { agentId } = useParams({ from: '/app/agents/$agentId/rehearsals' });
  const { run } = useSearch({ from: '/app/agents/$agentId/rehearsals' });
  const navigate = useNavigate({ from: '/agents/$agentId/rehearsals' });
  const mayStart = useMay('manager');
  const read = useRead('getAgent', { agent_id: agentId });
  const list = useRead('listRehearsals', { agent_id: agentId });
  const agent = read.data?.agents;
  const open = (id: string): void => void navigate({ search: { run: id } });
  return (
    <Page
      title={t('Rehearsals')}
      intro={
        agent === undefined
          ? undefined
          : t(
              'Simulated callers call {agentDisplayName}. No phone rings and no tool runs. Lines that a model words cost model turns; nothing else is charged.',
              { agentDisplayName: agent.agent_display_name },
            )
      }
      actions={
        <Link to="/agents/$agentId" params={{ agentId }} className={buttonClass()}>
          {t('Edit the assistant')}
        </Link>
      }
    >
      <div className="flex flex-col gap-6">
        {agent !== undefined && mayStart ? <StartCard agent={agent} onStarted={open} /> : null}
        <Loaded read={list}>
          {({ rehearsals }) => {
            const shown = rehearsals.find(({ rehearsal_id: id }) => id === run) ?? rehearsals[0];
            if (shown === undefined)
              return (
                <EmptyState title={t('No rehearsals yet')} icon="radio">
                  {t('A rehearsal shows how often each expectation holds, before people call.')}
                </EmptyState>
              );
            return (
              <Card title={t('Results')}>
                <div className="flex flex-col gap-4">
                  <div className="max-w-md">
                    <SelectField
                      label={t('Rehearsal')}
                      value={shown.rehearsal_id}
                      onChange={(event) => open(event.target.value)}
                    >
                      {rehearsals.map((each) => (
                        <option key={each.rehearsal_id} value={each.rehearsal_id}>
                          {t('{createdAt}, {versionSlug}{againstVersionSlug}, {calls} calls', {
                            createdAt: formatTime(each.created_at),
                            versionSlug: each.version_slug,
                            againstVersionSlug:
                              each.against_version_slug === null
                                ? ''
                                : ` ${t('against {againstVersionSlug}', { againstVersionSlug: each.against_version_slug })}`,
                            calls: each.calls,
                          })}
                        </option>
                      ))}
                    </SelectField>
                  </div>
                  <RehearsalView
                    key={shown.rehearsal_id}
                    agentId={agentId}
                    rehearsalId={shown.rehearsal_id}
                    mayCancel={mayStart}
                  />
                </div>
              </Card>
            );
          }}
        </Loaded>
      </div>
    </Page>
  );
}
