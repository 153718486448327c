import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useUnsavedForms } from '../../drafts/unsaved.ts';
import { Strip } from '../../ui/strip.tsx';
import { t } from '../../words/words.ts';
import { groupsOf, TABS, tabToOpen, type AgentSearch, type LastTabs, type Tab } from './tabs.ts';

const GROUP =
  'block border-b-2 border-transparent px-2 py-2 text-sm whitespace-nowrap text-muted no-underline hover:text-ink max-sm:py-2.5 aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink';
const PART =
  'block rounded-md px-2 py-1 text-sm whitespace-nowrap text-muted no-underline hover:bg-raised hover:text-ink max-sm:py-2.5 aria-[current=page]:bg-raised aria-[current=page]:text-ink';
const ROW = 'flex gap-x-1 max-sm:w-max sm:flex-wrap';

/** The parts of an assistant: a row of groups, and below it the parts of the open group if it has several. */
export function PartsNav({
  agentId,
  agentType,
  tab,
  hasFlow,
  kept,
}: {
  agentId: string;
  agentType: string;
  tab: Tab;
  /** A flow leads the conversations of the shown version. */
  hasFlow: boolean;
  /** What every address of the page keeps. */
  kept: Omit<AgentSearch, 'tab'>;
}): ReactNode {
  const unsaved = new Set([...useUnsavedForms().values()].map(({ area }) => area));
  const groups = groupsOf(agentType);
  const open = groups.find(({ tabs }) => tabs.includes(tab));
  const [last, setLast] = useState<LastTabs>({});
  if (open !== undefined && last[open.name] !== tab) setLast({ ...last, [open.name]: tab });
  const link = (to: Tab, name: string, isOpen: boolean, isChanged: boolean, look: string): ReactNode => (
    <Link
      to="/agents/$agentId"
      params={{ agentId }}
      search={{ ...kept, tab: to }}
      resetScroll={false}
      aria-current={isOpen ? 'page' : undefined}
      className={look}
    >
      {t(name)}
      {isChanged ? <UnsavedDot /> : null}
    </Link>
  );
  return (
    <nav aria-label={t('Parts of the assistant')} className="-mb-2 flex flex-col gap-2">
      <div className="border-b border-line">
        <Strip chosen={open?.name ?? ''}>
          <ul className={ROW}>
            {groups.map((group) => {
              const isChanged = group.tabs.some((each) => unsaved.has(each));
              const to = tabToOpen(group, last, hasFlow) ?? tab;
              return <li key={group.name}>{link(to, group.name, group === open, isChanged, GROUP)}</li>;
            })}
          </ul>
        </Strip>
      </div>
      {open === undefined || open.tabs.length < 2 ? null : (
        <Strip key={open.name} chosen={tab}>
          <ul aria-label={t(open.name)} className={ROW}>
            {open.tabs.map((each) => (
              <li key={each}>{link(each, TABS[each], each === tab, unsaved.has(each), PART)}</li>
            ))}
          </ul>
        </Strip>
      )}
    </nav>
  );
}

const UnsavedDot = (): ReactNode => (
  <span
    role="img"
    aria-label={t('with unsaved changes')}
    title={t('Unsaved changes')}
    className="ml-1.5 inline-block size-2 rounded-full bg-warn"
  />
);
