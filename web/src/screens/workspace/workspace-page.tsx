import { useState, type ReactNode } from 'react';
import { call, type Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { useMay } from '../../session/session.ts';
import { Button, CheckField, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, ErrorNote, Page } from '../../ui/page.tsx';
import { AnnouncedPeople } from './announced-people.tsx';
import { DaysAndNumbers } from './days-and-numbers.tsx';
import { NoticeAddresses } from './notice-addresses.tsx';
import { StorageUse } from './storage-use.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

/** Settings that hold for every assistant of the workspace. */
export function WorkspacePage(): ReactNode {
  const read = useRead('getWorkspaceSettings', {});
  const usage = useRead('getUsage', {});
  const isOwner = useMay('owner');
  return (
    <Page
      title={t('Workspace')}
      intro={t('Settings that hold for every assistant of this workspace.')}
      isViewOnly={!isOwner}
    >
      <Card title={t('Days and numbers')}>
        <Loaded read={read} shape="lines">
          {(settings) => <DaysAndNumbers settings={settings} />}
        </Loaded>
      </Card>
      <Card title={t('Missing values')}>
        <Loaded read={read} shape="lines">
          {({ strict_variables: isStrict }) => <StrictVariables isStrict={isStrict} />}
        </Loaded>
      </Card>
      <Card title={t('Publishing')}>
        <Loaded read={read} shape="lines">
          {({ rehearses_drafts: isOn }) => <RehearsesDrafts isOn={isOn} />}
        </Loaded>
      </Card>
      <Card title={t('Detectors')}>
        <Loaded read={read} shape="lines">
          {({ checked_calls_percent: percent }) => <CheckedCalls percent={percent} />}
        </Loaded>
      </Card>
      <Card title={t('People who join a call')}>
        <Loaded read={read} shape="lines">
          {(settings) => <AnnouncedPeople settings={settings} />}
        </Loaded>
      </Card>
      <Card title={t('Notices by mail')}>
        <Loaded read={read} shape="lines">
          {({ notice_addresses: addresses }) => <NoticeAddresses addresses={addresses} />}
        </Loaded>
      </Card>
      <Card title={t('Outbound calls')}>
        <Loaded read={read} shape="lines">
          {({ outbound_paused: pause }) => <AnomalyStop pause={pause} />}
        </Loaded>
      </Card>
      <Card title={t('Destinations')}>
        <Loaded read={read} shape="lines">
          {(settings) => <Destinations settings={settings} />}
        </Loaded>
      </Card>
      <Card title={t('Storage')}>
        <Loaded read={usage} shape="lines">
          {(stored) => <StorageUse usage={stored} />}
        </Loaded>
      </Card>
    </Page>
  );
}

function StrictVariables({ isStrict }: { isStrict: boolean }): ReactNode {
  const isOwner = useMay('owner');
  /** Until the service has answered: the box changes with the click. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const set = useChange('setWorkspaceSettings', ['getWorkspaceSettings'], ({ strict_variables: next }) => ({
    text:
      next === true
        ? t('Calls and chats without a value are refused from now on.')
        : t('Calls and chats without a value are placed again, with a warning.'),
    undo: () => call('setWorkspaceSettings', { strict_variables: next !== true }),
  }));
  return (
    <div className="flex flex-col items-start gap-4">
      <CheckField
        label={t('Refuse calls and chats that lack a value for a variable of their assistant')}
        checked={chosen ?? isStrict}
        readOnly={!isOwner}
        onChange={({ target: { checked } }) => {
          if (set.isPending) return;
          setChosen(checked);
          set.mutate({ strict_variables: checked }, { onSettled: () => setChosen(null) });
        }}
      />
      <p className="max-w-prose text-muted">
        {t('{isStrict} Rows of contact lists without a value are always refused.{isOwner}', {
          isStrict: isStrict
            ? t('A request without a value, or with a value for no variable, is refused and says which.')
            : t(
                'A request without a value is accepted with a warning, and the assistant leaves those words out.',
              ),
          isOwner: isOwner ? '' : ` ${t('Only owners change this.')}`,
        })}
      </p>
      {set.isError ? <ErrorNote error={set.error} /> : null}
      {isOwner ? <CopyCurl operation="setWorkspaceSettings" input={{ strict_variables: !isStrict }} /> : null}
    </div>
  );
}

/** The gate before a draft is published. */
function RehearsesDrafts({ isOn }: { isOn: boolean }): ReactNode {
  const isOwner = useMay('owner');
  const [chosen, setChosen] = useState<boolean | null>(null);
  const set = useChange('setWorkspaceSettings', ['getWorkspaceSettings'], ({ rehearses_drafts: next }) => ({
    text:
      next === true
        ? t('Drafts need a rehearsal before they are published.')
        : t('Drafts are published without a rehearsal again.'),
    undo: () => call('setWorkspaceSettings', { rehearses_drafts: next !== true }),
  }));
  return (
    <div className="flex flex-col items-start gap-4">
      <CheckField
        label={t('Publish a draft only after a rehearsal that shows it not worse than the active version')}
        checked={chosen ?? isOn}
        readOnly={!isOwner}
        onChange={({ target: { checked } }) => {
          if (set.isPending) return;
          setChosen(checked);
          set.mutate({ rehearses_drafts: checked }, { onSettled: () => setChosen(null) });
        }}
      />
      <p className="max-w-prose text-muted">
        {t('At least 100 calls with both, not worse at 95%. A rollback needs none.')}
        {isOwner ? '' : ` ${t('Only owners change this.')}`}
      </p>
      {set.isError ? <ErrorNote error={set.error} /> : null}
      {isOwner ? <CopyCurl operation="setWorkspaceSettings" input={{ rehearses_drafts: !isOn }} /> : null}
    </div>
  );
}

/** The share of calls that the detectors read. */
function CheckedCalls({ percent }: { percent: number }): ReactNode {
  const isOwner = useMay('owner');
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(percent);
  const set = useChange('setWorkspaceSettings', ['getWorkspaceSettings'], () => ({
    text: t('The share holds for calls that end from now on.'),
    undo: () => call('setWorkspaceSettings', { checked_calls_percent: percent }),
  }));
  return (
    <form
      className="flex flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate(
          { checked_calls_percent: Number(text) },
          { onSuccess: () => setTyped(afterSending(typed, null)) },
        );
      }}
    >
      <p className="max-w-prose text-muted">
        {t(
          'Detectors read the event log of ended calls without a model: dead air, loops, misheard numbers and more.',
        )}
        {isOwner ? '' : ` ${t('Only owners change this.')}`}
      </p>
      <TextField
        label={t('Share of calls (%)')}
        type="number"
        min={0}
        max={100}
        value={text}
        readOnly={!isOwner}
        onChange={(event) => setTyped(event.target.value)}
      />
      {isOwner ? (
        <Button type="submit" disabled={set.isPending || text === '' || text === String(percent)}>
          {t('Save')}
        </Button>
      ) : null}
      {set.isError ? <ErrorNote error={set.error} /> : null}
    </form>
  );
}

/** Destinations that the owner opens beside the countries of the workspace's numbers. */
function Destinations({ settings }: { settings: Answer<'getWorkspaceSettings'> }): ReactNode {
  const isOwner = useMay('owner');
  const { only_destinations: only, open_destinations: opened } = settings;
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (opened === 'all' ? 'all' : opened.join(', '));
  const set = useChange('setWorkspaceSettings', ['getWorkspaceSettings'], () => ({
    text: t('The destinations hold from the next call on.'),
    undo: () => call('setWorkspaceSettings', { open_destinations: opened }),
  }));
  return (
    <form
      className="flex flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const names = text.split(/[\s,]+/).filter((name) => name !== '');
        set.mutate(
          { open_destinations: text.trim() === 'all' ? 'all' : names },
          { onSuccess: () => setTyped(afterSending(typed, null)) },
        );
      }}
    >
      <p className="max-w-prose text-muted">
        {t(
          '{only} Open countries (IN) and prefixes (+4420), or all. Only what you call belongs here: stolen keys call costly places.{isOwner}',
          {
            only:
              only === null
                ? t('Calls and transfers reach every destination that the operator allows.')
                : t('Calls and transfers reach these destinations only: {value}.', {
                    value: only.join(', '),
                  }),
            isOwner: isOwner ? '' : ` ${t('Only owners change this.')}`,
          },
        )}
      </p>
      <TextField
        label={t('Opened destinations')}
        value={text}
        readOnly={!isOwner}
        onChange={(event) => setTyped(event.target.value)}
        error={set.error?.fields.get('open_destinations')}
      />
      {set.isError && !set.error.fields.has('open_destinations') ? <ErrorNote error={set.error} /> : null}
      {isOwner ? (
        <Button type="submit" busy={set.isPending}>
          {t('Save destinations')}
        </Button>
      ) : null}
    </form>
  );
}

/** The anomaly stop, which an owner lifts. */
function AnomalyStop({ pause }: { pause: Answer<'getWorkspaceSettings'>['outbound_paused'] }): ReactNode {
  const isOwner = useMay('owner');
  const set = useChange('setWorkspaceSettings', ['getWorkspaceSettings'], () => ({
    text: t('Outbound calls are running again.'),
  }));
  if (pause === null)
    return (
      <p className="max-w-prose text-muted">
        {t(
          'Outbound calls are running. They pause by themselves when an hour has ten times the attempts or spending of the busiest hour of the week.',
        )}
      </p>
    );
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="max-w-prose">
        {rich(
          'Paused since {time}: the {reason} of an hour reached ten times those of the busiest hour of the week. If that was not you, replace the API key first.{isOwner}',
          {
            time: <Time iso={pause.at} />,
            reason: pause.reason === 'spend' ? 'spending' : 'attempts',
            isOwner: isOwner ? '' : ` ${t('Only owners can lift the pause.')}`,
          },
        )}
      </p>
      {set.isError ? <ErrorNote error={set.error} /> : null}
      {isOwner ? (
        <Button busy={set.isPending} onClick={() => set.mutate({ outbound_paused: null })}>
          {t('Resume outbound calls')}
        </Button>
      ) : null}
    </div>
  );
}
