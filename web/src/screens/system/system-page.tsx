import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Checks } from '../../parts/checks.tsx';
import { CopyCurl } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, Card, EmptyState, Facts, Page } from '../../ui/page.tsx';
import { Parts } from '../../ui/parts.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Configuration } from './configuration.tsx';
import { LocalModels } from './models.tsx';
import { VendorHealth } from './vendor-health.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type System = Answer<'getSystem'>;
type Node = System['nodes'][number];
const REFRESH_MS = 10_000;
const TONES: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  running: 'good',
  draining: 'warn',
  lost: 'bad',
};
const STATES: Readonly<Record<string, string>> = {
  running: 'Running',
  draining: 'Draining',
  lost: 'Lost',
};

const COLUMNS: readonly Column<Node>[] = [
  {
    title: 'Process',
    cell: (node) => (
      <span className="block min-w-40">
        <span className="font-mono wrap-anywhere">{node.name}</span>
        <span className="block text-muted">
          {[node.roles.join(', '), node.version].filter((part) => part !== null && part !== '').join(' · ')}
        </span>
      </span>
    ),
  },
  {
    title: 'State',
    cell: (node) => (
      <Badge tone={TONES[node.state] ?? 'neutral'}>{t(STATES[node.state] ?? node.state)}</Badge>
    ),
  },
  {
    title: 'Live calls, limit',
    cell: (node) =>
      node.process_calls === null || node.call_limit === null
        ? formatNumber(node.live_calls)
        : t('{some} of {all}', {
            some: formatNumber(node.process_calls),
            all: formatNumber(node.call_limit),
          }),
    isNumber: true,
  },
  { title: 'RTP ports in use', cell: (node) => <RtpPorts ports={node.rtp_ports} />, isNumber: true },
  { title: 'Started', cell: (node) => <Time iso={node.started_at} isBrief /> },
  { title: 'Last seen', cell: (node) => <Time iso={node.last_seen_at} isBrief /> },
];

/** The ports in use, of the range; null: not known yet. */
function RtpPorts({ ports }: { ports: Node['rtp_ports'] }): ReactNode {
  if (ports === null) return '–';
  const { first, last, in_use: used } = ports;
  if (first === null || last === null) return formatNumber(used);
  return (
    <>
      {rich('{used} of {last}{first}', {
        used: formatNumber(used),
        last: formatNumber(last - first + 1),
        first: <span className="block text-muted">{t('{first} to {last}', { first, last })}</span>,
      })}
    </>
  );
}

/** The state of the installation, for its operators. */
export function SystemPage(): ReactNode {
  const isOperator = useMay('operator');
  const system = useRead('getSystem', {}, { enabled: isOperator, every: REFRESH_MS });
  if (!isOperator) {
    return (
      <Page title={t('System')}>
        <EmptyState title={t('Only operators see the installation')}>
          {t('Ask who runs this service if something does not work.')}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={t('System')}
      intro={t('The processes of this installation, and the work of all workspaces that waits for them.')}
      actions={<CopyCurl operation="getSystem" input={{}} />}
    >
      <Parts
        parts={[
          ['State', <Loaded read={system}>{(state) => <State state={state} />}</Loaded>],
          ['Speech on this machine', <LocalModels />],
          ['Providers', <VendorHealth />],
          ['Configuration', <Configuration />],
        ]}
      />
    </Page>
  );
}

function State({ state }: { state: System }): ReactNode {
  const { recordings_free_bytes: free } = state;
  return (
    <>
      <Stats>
        <Due name={t('Individual calls due')} work={state.calls} />
        <Due name={t('Webhook deliveries due')} work={state.webhooks} />
        <Due name={t('Background jobs due')} work={state.jobs} />
        <Stat name={t('Disk of recordings')} value={free === null ? '–' : `${formatNumber(free / 1e9)} GB`}>
          {free === null ? t('Unknown') : t('Free; an hour of talk takes about 0.1 GB.')}
        </Stat>
      </Stats>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Card title={t('Checks')}>
          <Checks checks={state.checks} />
        </Card>
        <Card title={t('Versions')}>
          <Facts
            rows={[
              ['Callwright', state.version],
              ['Node.js', state.node_version],
              ['PostgreSQL', state.database_version],
              [
                'Last migration',
                <code key="migration" className="font-mono text-sm wrap-anywhere">
                  {state.migration}
                </code>,
              ],
              ['Metrics', <Metrics key="metrics" url={state.metrics_url} />],
            ]}
          />
        </Card>
      </div>
      <section>
        <h2 className="mb-3 text-base font-semibold">{t('Processes that carry calls')}</h2>
        {state.nodes.length === 0 ? (
          <p className="text-muted">{t('None runs: calls stay queued.')}</p>
        ) : (
          <Table
            caption={t('Processes')}
            columns={COLUMNS}
            rows={state.nodes}
            keyOf={(node) => `${node.name} ${node.started_at}`}
          />
        )}
      </section>
    </>
  );
}

/** The address of /metrics: a link beside the API, else the address in the network of the server. */
function Metrics({ url }: { url: string }): ReactNode {
  return url.startsWith('/') ? (
    <a href={url} className="text-accent underline">
      {url}
    </a>
  ) : (
    <code className="font-mono text-sm wrap-anywhere">{url}</code>
  );
}

function Due({ name, work }: { name: string; work: System['calls'] }): ReactNode {
  return (
    <Stat name={name} value={formatNumber(work.due)}>
      {work.oldest_due_at === null ? (
        t('Nothing waits.')
      ) : (
        <>{rich('The oldest since {time}', { time: <Time iso={work.oldest_due_at} isBrief /> })}</>
      )}
    </Stat>
  );
}
