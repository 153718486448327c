import { useMemo, useRef, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { ConnectionBar } from '../../shell/connection-bar.tsx';
import { Button } from '../../ui/controls.tsx';
import { useChoice } from '../../ui/preferences.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { fillScreen, hasFullScreen, leaveFullScreen, useIsFullScreen } from '../../ui/use-full-screen.ts';
import { CallCard } from './call-card.tsx';
import type { Limits } from './flags.ts';
import { GROUPINGS, groupsOf, type Grouping } from './groups.ts';
import type { Wall } from './wall.ts';
import { t } from '../../words/words.ts';

type Call = Answer<'listCalls'>['calls'][number];

const NAMES: readonly (readonly [Grouping, string])[] = [
  ['none', 'Nothing'],
  ['campaign', 'Campaign'],
  ['assistant', 'Assistant'],
];

/** The cards of the live calls, in groups if the reader wants them; it can fill the screen. */
export function CallWall({
  calls,
  total,
  wall,
  nowMs,
  chosen,
  onChoose,
}: {
  calls: readonly Call[];
  /** More than `calls` if there are too many to show. */
  total: number;
  wall: Wall;
  nowMs: number;
  chosen: string | null;
  onChoose: (callId: string) => void;
}): ReactNode {
  const section = useRef<HTMLElement>(null);
  const isFull = useIsFullScreen();
  const [by, setBy] = useChoice('live-calls-by', GROUPINGS);
  const limits = useLimits();
  const groups = groupsOf(by, calls, useCampaignNames(by === 'campaign'), wall, limits, nowMs);
  return (
    <section
      ref={section}
      aria-label={t('Calls')}
      className={`flex flex-col gap-3 ${isFull ? 'overflow-y-auto bg-ground p-6' : ''}`}
    >
      {/* The page's own notice of a lost connection is not on a screen that the wall fills. */}
      {isFull ? <ConnectionBar /> : null}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-muted">
          {total > calls.length
            ? t('The newest {shown} of {total}', { shown: calls.length, total })
            : t('{count} live', { count: calls.length })}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <span className="flex flex-wrap items-center gap-2 text-sm text-muted">
            <span aria-hidden="true">{t('Group by')}</span>
            <Segmented label={t('Group by')} value={by} options={NAMES} onChange={setBy} />
          </span>
          {hasFullScreen() ? (
            <span className="hidden sm:block">
              <Button onClick={() => (isFull ? leaveFullScreen() : fillScreen(section.current))}>
                {isFull ? t('Leave full screen') : t('Full screen')}
              </Button>
            </span>
          ) : null}
        </div>
      </div>
      {groups.map(({ id, name, calls: those }) => (
        <div key={id} className="flex flex-col gap-2">
          {by === 'none' ? null : (
            <h2 className="text-sm font-semibold wrap-anywhere">
              {id === '' ? t('Without a campaign') : name}{' '}
              <span className="font-normal text-muted">{t('{count} live', { count: those.length })}</span>
            </h2>
          )}
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(18rem,100%),1fr))] gap-3">
            {those.map((call) => (
              <li key={call.call_id} className="min-w-0">
                <CallCard
                  call={call}
                  live={wall.get(call.call_id)}
                  limits={limits}
                  isChosen={call.call_id === chosen}
                  onChoose={onChoose}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** After how many seconds the calls of the newest assistants are ended. */
function useLimits(): Limits {
  const agents = useRead('listAgents', { limit: 100 }).data?.data.agents;
  return useMemo(
    () => new Map(agents?.map(({ id, active_version: version }) => [id, version.max_call_length])),
    [agents],
  );
}

/** The names of the newest campaigns by id. */
function useCampaignNames(isWanted: boolean): ReadonlyMap<string, string> {
  const read = useRead('listCampaigns', { limit: 100, call_count: false }, { enabled: isWanted });
  return new Map((read.data?.campaigns ?? []).map(({ id, name }) => [id, name] as const));
}
