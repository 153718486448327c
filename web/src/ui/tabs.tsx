import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../words/words.ts';

/** Parts of a page of which one is shown; the arrow keys go from tab to tab. `label` names them for screen readers. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly (readonly [name: string, content: ReactNode])[];
}): ReactNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = (at + by + tabs.length) % tabs.length;
    setAt(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="flex flex-wrap gap-x-5 border-b border-line"
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
            className="-mb-px min-h-control border-b-2 border-transparent px-1 text-sm text-muted hover:text-ink aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink"
            onClick={() => setAt(index)}
          >
            {t(name)}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${at}`}
        className="flex flex-col gap-4"
      >
        {tabs[at]?.[1]}
      </div>
    </>
  );
}
