import { Fragment, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../words/words.ts';
import { Strip } from './strip.tsx';

/**
 * Parts of a page of which one is shown; the arrow keys go from tab to tab. `label` names them for screen readers. The
 * chosen part stays shown, as it is, when others appear or go; a part that is alone needs no tab.
 */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly (readonly [name: string, content: ReactNode])[];
}): ReactNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState<string | null>(null);
  const at = Math.max(
    0,
    tabs.findIndex(([name]) => name === chosen),
  );
  const [shown, content] = tabs[at] ?? ['', null];
  const isAlone = tabs.length < 2;
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = (at + by + tabs.length) % tabs.length;
    choose(tabs[next]?.[0] ?? null);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <>
      {isAlone ? null : (
        <div className="border-b border-line">
          <Strip chosen={at}>
            <div
              ref={list}
              role="tablist"
              aria-label={label}
              className="flex gap-x-5 max-sm:w-max sm:flex-wrap"
              onKeyDown={onKey}
            >
              {tabs.map(([name], index) => (
                <button
                  key={name}
                  type="button"
                  role="tab"
                  id={`${id}-tab-${index}`}
                  aria-controls={`${id}-panel`}
                  aria-selected={index === at}
                  tabIndex={index === at ? 0 : -1}
                  className="min-h-control border-b-2 border-transparent px-1 text-sm whitespace-nowrap text-muted hover:text-ink aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink"
                  onClick={() => choose(name)}
                >
                  {t(name)}
                </button>
              ))}
            </div>
          </Strip>
        </div>
      )}
      <div
        {...(isAlone ? {} : { role: 'tabpanel', 'aria-labelledby': `${id}-tab-${at}` })}
        id={`${id}-panel`}
        className="flex flex-col gap-4"
      >
        <Fragment key={shown}>{content}</Fragment>
      </div>
    </>
  );
}
