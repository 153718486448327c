import { lazyRouteComponent, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { patient } from '../../api/patient.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, buttonClass, CopyButton, SelectField } from '../../ui/controls.tsx';
import { formatDirection } from '../../ui/format.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Badge, EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { ArchiveDialog } from './archive-dialog.tsx';
import { CallDialogLoader } from './call-dialog-loader.tsx';
import { DraftBar } from './draft-bar.tsx';
import { PartsNav } from './parts-nav.tsx';
import { TabPanels } from './tab-panels.tsx';
import { tabsOf } from './tabs.ts';
import { TestMoves, type TestMove, type Values } from './test-state.ts';
import { useKnownDraft } from './use-open-draft.ts';
import type { Agent } from './types.ts';
import { ExportButton } from './export-button.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { t } from '../../words/words.ts';
import { EditsOf } from './saving/edits-of.tsx';

const TestPanel = lazyRouteComponent(
  patient(() => import('../agent-test/test-panel.tsx')),
  'TestPanel',
);
/** A window that has room for the test beside the editor. */
const WIDE = '(min-width: 80rem)';

export function AgentPage(): ReactNode {
  const { agentId } = useParams({ from: '/app/agents/$agentId' });
  const read = useRead('getAgent', { agent_id: agentId });
  if (read.isPending) {
    return (
      <Page title={t('Assistant')}>
        <Loading shape="cards" />
      </Page>
    );
  }
  if (read.isError) {
    return (
      <Page title={t('Assistant')}>
        <ErrorNote error={read.error} retry={() => void read.refetch()} />
      </Page>
    );
  }
  return <AgentDetails key={agentId} agent={read.data.agents} />;
}

function AgentDetails({ agent }: { agent: Agent }): ReactNode {
  const known = useKnownDraft(agent.id);
  const draft = known ?? null;
  const [openedHere, setOpenedHere] = useState<string | null>(null);
  const {
    version: wanted,
    tab: wantedTab = 'instructions',
    test: isWanted = false,
  } = useSearch({ from: '/app/agents/$agentId' });
  const tabs = tabsOf(agent.agent_type);
  const tab = tabs.includes(wantedTab) ? wantedTab : 'instructions';
  const [opened, setOpened] = useState<'archive' | 'call' | 'import' | null>(null);
  const navigate = useNavigate({ from: '/agents/$agentId' });
  const mayEdit = useMay('manager');
  const isTesting = mayEdit && isWanted;
  const [wasTested, setTested] = useState(isTesting);
  if (isTesting && !wasTested) setTested(true);
  const isWide = useMedia(WIDE);
  const [values, setValues] = useState<Values>({});
  const [moves, setMoves] = useState<readonly TestMove[] | null>(null);
  const showTest = (isShown: boolean): void =>
    void navigate({
      search: ({ test: _test, ...rest }) => (isShown ? { ...rest, test: true } : rest),
      resetScroll: false,
    });
  /** What every address of the page keeps. */
  const kept = isWanted ? { test: true as const } : {};
  const mayCall = agent.agent_type === 'outbound' || agent.agent_type === 'outbound_inbound';
  const versions = Object.values(agent.version_details).toSorted((a, b) =>
    b.created_at.localeCompare(a.created_at),
  );
  const activeId = agent.active_agent_version_id;
  // A save of the active version opens the draft, and the page goes on with it.
  const isWorking =
    wanted === undefined || (wanted === activeId && (draft === null || draft.version_id === openedHere));
  const shownDraft = draft !== null && (isWorking || wanted === draft.version_id) ? draft : null;
  const version = shownDraft === null ? agent.version_details[wanted ?? activeId] : shownDraft.version;
  const isActive = shownDraft === null && version?.version_id === activeId;
  const place = isWorking || shownDraft !== null ? 'working' : (version?.version_id ?? '');
  return (
    <div className={isTesting ? 'xl:pr-100 2xl:pr-120' : undefined}>
      <Page
        title={agent.agent_display_name}
        intro={
          <span className="flex flex-wrap items-center gap-2">
            <Badge>{formatDirection(agent.agent_type)}</Badge>
            {agent.is_ab_live ? <Badge tone="accent">{t('A/B test running')}</Badge> : null}
          </span>
        }
        actions={
          <>
            {mayEdit ? (
              <Button look="primary" aria-expanded={isTesting} onClick={() => showTest(!isTesting)}>
                {t('Try it')}
              </Button>
            ) : null}
            {mayEdit && mayCall ? <Button onClick={() => setOpened('call')}>{t('Call')}</Button> : null}
            <Menu label={<Icon name="ellipsis" />} name={t('More actions')} corner="bottom-right">
              {(close) => (
                <>
                  <Link to="/calls" search={{ agent: agent.id }} className={buttonClass()}>
                    {t('Show calls')}
                  </Link>
                  <CopyButton text={agent.id} label={t('Copy id')} />
                  <ExportButton agentId={agent.id} versionId={version?.version_id} />
                  {mayEdit ? (
                    <Button
                      onClick={() => {
                        close();
                        setOpened('import');
                      }}
                    >
                      {t('Import into the draft')}
                    </Button>
                  ) : null}
                  {mayEdit ? (
                    <Button
                      look="danger"
                      onClick={() => {
                        close();
                        setOpened('archive');
                      }}
                    >
                      {t('Archive')}
                    </Button>
                  ) : null}
                </>
              )}
            </Menu>
          </>
        }
      >
        <div className="max-w-lg">
          <SelectField
            label={t('Version')}
            value={version?.version_id ?? ''}
            hint={
              shownDraft !== null
                ? t('No call uses the draft until you publish it.')
                : isActive
                  ? draft === null
                    ? t('New calls use this version. What you save goes to a draft, until you publish it.')
                    : t('New calls use this version. Open the draft to change the assistant.')
                  : t('New calls use another version until you activate this one.')
            }
            onChange={({ target: { value } }) => {
              setOpenedHere(null);
              const isPlain = value === draft?.version_id || (value === activeId && draft === null);
              void navigate({ search: { ...(isPlain ? {} : { version: value }), tab, ...kept } });
            }}
          >
            {draft === null ? null : <option value={draft.version_id}>{t('Draft')}</option>}
            {versions.map((each) => (
              <option key={each.version_id} value={each.version_id}>
                {each.version_id === activeId
                  ? t('{version} (active)', { version: each.version_slug })
                  : each.version_slug}
              </option>
            ))}
          </SelectField>
        </div>
        {mayEdit && draft !== null ? (
          <DraftBar agentId={agent.id} draft={draft} isShown={shownDraft !== null} />
        ) : null}
        {known === undefined && (version === undefined || isWorking) ? (
          <Loading shape="cards" />
        ) : version === undefined ? (
          <EmptyState title={t('There is no such version')}>{t('Choose another one above.')}</EmptyState>
        ) : (
          <>
            <PartsNav
              agentId={agent.id}
              agentType={agent.agent_type}
              tab={tab}
              hasFlow={version.flow !== null}
              kept={{ ...(wanted === undefined ? {} : { version: wanted }), ...kept }}
            />
            <EditsOf
              key={place}
              agentId={agent.id}
              version={version}
              draft={shownDraft}
              isActive={isActive}
              onOpened={setOpenedHere}
            >
              <TestMoves value={moves}>
                <TabPanels
                  tab={tab}
                  agent={agent}
                  version={version}
                  versions={versions}
                  place={place}
                  isActive={isActive}
                  mayEdit={mayEdit}
                  mayEditVersion={mayEdit && (draft === null || !isActive)}
                />
              </TestMoves>
              {mayEdit && wasTested ? (
                <Suspense fallback={null}>
                  <TestPanel
                    agent={agent}
                    version={version}
                    isDraft={shownDraft !== null}
                    isShown={isTesting}
                    isWide={isWide}
                    values={values}
                    onValues={setValues}
                    onMoves={setMoves}
                    onClose={() => showTest(false)}
                  />
                </Suspense>
              ) : null}
            </EditsOf>
          </>
        )}
        {opened === 'import' ? <ImportDialog agentId={agent.id} onClose={() => setOpened(null)} /> : null}
        {opened === 'archive' ? <ArchiveDialog agent={agent} onClose={() => setOpened(null)} /> : null}
        {opened === 'call' ? (
          <CallDialogLoader agentId={agent.id} begin={values} onClose={() => setOpened(null)} />
        ) : null}
      </Page>
    </div>
  );
}
