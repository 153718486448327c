import type { ReactNode } from 'react';
import { t } from '../../words/words.ts';
import type { Series } from './series.ts';

/** The names of the series; pressing one leaves it out of the chart. The last one stays. */
export function Legend({
  series,
  hidden,
  onChange,
}: {
  series: readonly Series[];
  hidden: readonly string[];
  onChange: (hidden: readonly string[]) => void;
}): ReactNode {
  return (
    <div className="mb-1 flex flex-wrap justify-end gap-x-4 gap-y-1 text-xs max-sm:gap-y-0">
      {series.map(({ name, square }) => {
        const isHidden = hidden.includes(name);
        return (
          <button
            key={name}
            type="button"
            aria-pressed={!isHidden}
            disabled={!isHidden && hidden.length === series.length - 1}
            className={`flex min-h-6 items-center gap-1.5 max-sm:min-h-control ${isHidden ? 'text-muted line-through' : 'text-muted'}`}
            onClick={() => onChange(isHidden ? hidden.filter((each) => each !== name) : [...hidden, name])}
          >
            <span aria-hidden="true" className={`size-2 rounded-sm ${isHidden ? 'bg-line' : square}`} />
            {t(name)}
          </button>
        );
      })}
    </div>
  );
}
