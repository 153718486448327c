import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Ago } from '../../ui/ago.tsx';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { DETECTOR_NAMES } from '../call/detector-names.ts';
import { NEW_ALERT, toAlertDraft, toAlertRule, type Alert } from './alert-draft.ts';
import { AlertFields } from './alert-fields.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

const MOST = 50;

const ruleText = ({
  measure,
  detector,
  threshold,
  window_hours: hours,
  minimum_calls: calls,
}: Alert): string => {
  const found = detector === null ? t('a finding') : t('“{name}”', { name: t(DETECTOR_NAMES[detector]) });
  const figure =
    measure === 'score_below'
      ? t('Mean score below {threshold}', { threshold })
      : t('More than {threshold} of calls with {found}', { threshold: formatShare(threshold / 100), found });
  return t('{figure}, over at least {calls} calls in {hours} h', { figure, calls, hours });
};

const COLUMNS: readonly Column<Alert>[] = [
  { title: 'Alert', cell: ({ name }) => name },
  { title: 'Rule', cell: ruleText },
  {
    title: 'State',
    cell: ({ raised_at: at }) =>
      at === null ? t('Not raised') : <strong>{rich('Raised {ago}', { ago: <Ago iso={at} /> })}</strong>,
  },
  {
    title: 'Now',
    cell: ({ measured }) =>
      measured?.value === null || measured === null
        ? '–'
        : t('{value} over {calls} calls', {
            value: formatNumber(Math.round(measured.value * 10) / 10),
            calls: formatNumber(measured.calls),
          }),
  },
];

/** The rules over the quality of calls, which alerts are raised, and a form that changes them. */
export function QualityAlerts(): ReactNode {
  const read = useRead('getQualityAlerts', {});
  const [isEditing, setIsEditing] = useState(false);
  const mayEdit = useMay('manager');
  return (
    <Card title={t('Alerts')}>
      <Loaded read={read} shape="lines">
        {({ alerts }) =>
          isEditing ? (
            <AlertsForm alerts={alerts} onDone={() => setIsEditing(false)} />
          ) : (
            <div className="flex w-full flex-col items-start gap-4">
              {alerts.length === 0 ? (
                <p className="max-w-prose text-muted">
                  {t(
                    'A rule raises an alert when the mean score falls below a threshold, or a detector finds something in more calls than a share: by webhook, Slack and mail.',
                  )}
                </p>
              ) : (
                <Table caption={t('Alerts')} columns={COLUMNS} rows={alerts} keyOf={({ name }) => name} />
              )}
              {mayEdit ? <Button onClick={() => setIsEditing(true)}>{t('Change the alerts')}</Button> : null}
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}

function AlertsForm({ alerts, onDone }: { alerts: readonly Alert[]; onDone: () => void }): ReactNode {
  const agents = useRead('listAgents', { limit: 100 });
  const [drafts, setDrafts] = useState(() => (alerts.length === 0 ? [NEW_ALERT] : alerts.map(toAlertDraft)));
  const save = useChange('setQualityAlerts', ['getQualityAlerts'], () => t('The alerts are saved.'));
  const input = { alerts: drafts.map(toAlertRule) };
  return (
    <form
      className="flex w-full flex-col items-start gap-4"
      aria-label={t('Alerts')}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(input, { onSuccess: onDone });
      }}
    >
      {drafts.map((draft, index) => (
        <AlertFields
          // A rule has no other identity than its place while it is typed.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          place={index + 1}
          draft={draft}
          agents={agents.data?.data.agents ?? []}
          onChange={(next) =>
            setDrafts(drafts.map((each, at) => (at === index ? { ...each, ...next } : each)))
          }
          onRemove={() => setDrafts(drafts.filter((_, at) => at !== index))}
        />
      ))}
      {drafts.length < MOST ? (
        <Button onClick={() => setDrafts([...drafts, NEW_ALERT])}>{t('Add an alert')}</Button>
      ) : null}
      {save.isError ? <ErrorNote error={save.error} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={save.isPending}>
          {t('Save the alerts')}
        </Button>
        <Button onClick={onDone}>{t('Cancel')}</Button>
        <CopyCurl operation="setQualityAlerts" input={input} />
      </div>
    </form>
  );
}
