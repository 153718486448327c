import type { ReactNode } from 'react';
import { formatNumber } from '../ui/format.tsx';
import { t } from '../words/words.ts';

const PARTS = [
  { key: 'endpointing_ms', name: 'End of speech', className: 'bg-slate' },
  { key: 'recognition_ms', name: 'Recognition', className: 'bg-person' },
  { key: 'model_ms', name: 'Model', className: 'bg-assistant' },
  { key: 'voice_ms', name: 'Voice', className: 'bg-amber' },
  { key: 'network_ms', name: 'Network', className: 'bg-purple' },
] as const;

/** What a turn waited for, part by part; null: not known. */
export type LatencyParts = Readonly<Record<(typeof PARTS)[number]['key'], number | null>>;

export const ms = (value: number | null): string => (value === null ? '–' : `${formatNumber(value)} ms`);

/** The colours of the parts. */
export function LatencyLegend(): ReactNode {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {PARTS.map((part) => (
        <li key={part.key} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-2.5 rounded-sm ${part.className}`} />
          {t(part.name)}
        </li>
      ))}
    </ul>
  );
}

/** The parts of one turn, stacked; the longest turn fills the width. */
export function LatencyBar({ parts, longest }: { parts: LatencyParts; longest: number }): ReactNode {
  const words = PARTS.map((part) => `${t(part.name)} ${ms(parts[part.key])}`).join(', ');
  return (
    <span className="flex h-3 overflow-hidden rounded-sm bg-raised" title={words}>
      <span className="sr-only">{words}</span>
      {PARTS.map((part) => (
        <span
          key={part.key}
          className={part.className}
          style={{ width: `${((parts[part.key] ?? 0) / longest) * 100}%` }}
        />
      ))}
    </span>
  );
}
