import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { CopyCurl } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, EmptyState, Facts, Page } from '../../ui/page.tsx';
import { outcomeName } from '../../parts/outcomes.ts';
import { sipAnswer } from '../../parts/sip-answer.ts';
import { TrunkHealth, type Trunk } from '../../parts/trunk-health.tsx';
import { useMay } from '../../session/session.ts';
import { KIND_NAMES } from './carriers.ts';
import { GatewayHealth } from './gateway-health.tsx';
import { InstallationTrunks } from './installation-trunks.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

const REFRESH_MS = 15_000;

/** The trunks of the workspace's numbers: whether they work, what they may carry, and what failed last. */
export function TrunksPage(): ReactNode {
  const isOperator = useMay('operator');
  const list = useRead('listTrunks', {}, { every: REFRESH_MS });
  return (
    <Page
      title={t('Trunks')}
      intro={t(
        'The connections to carriers and phone systems that your numbers use. Operators of the installation add them.',
      )}
      actions={<CopyCurl operation="listTrunks" input={{}} />}
    >
      <Loaded read={list} shape="table">
        {({ trunks, warnings }) =>
          trunks.length === 0 ? (
            <EmptyState title={t('No number has a trunk yet')} icon="plug">
              {t('Operators of the installation add trunks here, and numbers on the page Numbers.')}
            </EmptyState>
          ) : (
            <>
              {warnings.map(({ field, message }) => (
                <p key={field} className="max-w-prose">
                  {rich('{field} {message}. The operator sets it.', { field: <code>{field}</code>, message })}
                </p>
              ))}
              {trunks.map((trunk) => (
                <TrunkCard key={trunk.trunk_id} trunk={trunk} />
              ))}
            </>
          )
        }
      </Loaded>
      {isOperator ? <InstallationTrunks /> : null}
    </Page>
  );
}

const ENCRYPTION: Readonly<Record<Trunk['srtp'], string>> = {
  off: 'None',
  optional: 'SRTP where the carrier offers it',
  required: 'SRTP always',
};

function TrunkCard({ trunk }: { trunk: Trunk }): ReactNode {
  return (
    <Card title={trunk.name} aside={<TrunkHealth trunk={trunk} />}>
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-center gap-2 empty:hidden">
          {trunk.enabled && trunk.registered === null && trunk.reachable === null ? (
            <span className="text-muted">{t('Not probed by the process that serves this page.')}</span>
          ) : null}
          {!trunk.enabled || trunk.paused_until === null ? null : (
            <span>
              {rich('The carrier asked for no new calls until {time}', {
                time: <Time iso={trunk.paused_until} />,
              })}
            </span>
          )}
        </p>
        <Facts
          isWide
          rows={[
            ['Kind', t(KIND_NAMES[trunk.kind])],
            ['Transport', trunk.transport?.toUpperCase() ?? t('Chosen by DNS')],
            ['Encryption of the audio', t(ENCRYPTION[trunk.srtp])],
            ['Numbers', formatNumber(trunk.numbers)],
            ['Live calls of this workspace', formatNumber(trunk.live_calls)],
            [
              'Channels',
              trunk.max_calls === null
                ? t('No limit')
                : t('At most {maxCalls}', { maxCalls: formatNumber(trunk.max_calls) }),
            ],
            [
              'New calls a second',
              trunk.calls_per_second === null
                ? t('No limit')
                : t('At most {callsPerSecond}', { callsPerSecond: formatNumber(trunk.calls_per_second) }),
            ],
          ]}
        />
        <Gateways trunk={trunk} />
        <Failures trunk={trunk} />
      </div>
    </Card>
  );
}

/** The gateways of a trunk that has several; calls use those that respond. */
function Gateways({ trunk: { gateways } }: { trunk: Trunk }): ReactNode {
  if (gateways.length === 0) return null;
  return (
    <div>
      <h3 className="mb-2 text-sm font-medium">{t('Gateways')}</h3>
      <ol className="flex flex-col gap-2">
        {gateways.map(({ priority, weight, health }, n) => (
          // The list is that of the trunk's entry: its places name the gateways.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={n} className="flex flex-wrap items-center gap-x-3">
            <span>{t('Gateway {n}', { n: n + 1 })}</span>
            <GatewayHealth health={health} />
            <span className="text-muted">
              {t('Priority {priority}, weight {weight}', { priority, weight })}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Failures({ trunk }: { trunk: Trunk }): ReactNode {
  if (trunk.last_failures.length === 0) {
    return <p className="text-muted">{t('No attempt failed at it in the last 24 hours.')}</p>;
  }
  return (
    <div>
      <h3 className="mb-2 text-sm font-medium">{t('Last failures')}</h3>
      <ul className="flex flex-col gap-2">
        {trunk.last_failures.map((failure) => (
          <li key={`${failure.call_id} ${failure.attempt}`} className="flex flex-wrap gap-x-3">
            <Link to="/calls/$callId" params={{ callId: failure.call_id }} className="text-accent underline">
              <Time iso={failure.ended_at} isBrief />
            </Link>
            <span>{outcomeName(failure.sub_status)}</span>
            <span className="text-muted">{sipAnswer(failure.sip_code, failure.reason)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
