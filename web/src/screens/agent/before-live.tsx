import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import type { Version } from './types.ts';
import { undeclaredIn } from './undeclared.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';

/** Campaigns that place calls, or will. */
const UNDER_WAY: ReadonlySet<string> = new Set(['scheduled', 'ongoing', 'paused', 'insufficient_balance']);
const LATEST = 50;

/** Warns of variables that would leave gaps in what a version says. */
export function UndeclaredNote({ version }: { version: Version }): ReactNode {
  const missing = undeclaredIn(version);
  if (missing.length === 0) return null;
  return (
    <p role="alert" className="rounded-md border border-warn px-3 py-2 text-sm">
      {rich(
        'Its texts use variables that are not declared: {value}. A call brings no value for them. Declare them under Instructions, or take them out of the texts.',
        { value: <b>{missing.join(', ')}</b> },
      )}
    </p>
  );
}

/** The campaigns under way that an assistant calls for: their next calls use what goes live. Nothing without any. */
export function RunningCampaigns({ agentId }: { agentId: string }): ReactNode {
  const { data } = useRead('listCampaigns', { limit: LATEST, call_count: false });
  const names = (data?.campaigns ?? [])
    .filter((campaign) => campaign.agent_id === agentId && UNDER_WAY.has(campaign.campaign_status))
    .map(({ name }) => `“${name}”`);
  if (names.length === 0) return null;
  return (
    <p className="rounded-md border border-warn px-3 py-2 text-sm">
      {names.length === 1
        ? t('A campaign under way uses it from its next call on: {names}.', { names: names.join(', ') })
        : t('Campaigns under way use it from their next call on: {names}.', { names: names.join(', ') })}
    </p>
  );
}
