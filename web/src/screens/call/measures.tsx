import type { ReactNode } from 'react';
import { formatCode, formatNumber } from '../../ui/format.tsx';
import { Badge, Card, Facts } from '../../ui/page.tsx';
import type { Call } from './call-page.tsx';

const PARTS = [
  { key: 'endpointing_ms', name: 'End of speech', className: 'bg-muted' },
  { key: 'recognition_ms', name: 'Recognition', className: 'bg-good' },
  { key: 'model_ms', name: 'Model', className: 'bg-accent' },
  { key: 'voice_ms', name: 'Voice', className: 'bg-warn' },
  { key: 'network_ms', name: 'Network', className: 'bg-bad' },
] as const;

const ms = (value: number | null): string => (value === null ? '–' : `${formatNumber(value)} ms`);

const partsOf = (turn: Call['latency']['turns'][number]): string =>
  PARTS.map((part) => `${part.name} ${ms(turn[part.key])}`).join(', ');

/** How long the assistant took to answer each turn, and which part took it. */
export function Latency({ call }: { call: Call }): ReactNode {
  const { turns, p50_ms: p50, p95_ms: p95, max_ms: max } = call.latency;
  if (turns.length === 0) return null;
  const longest = Math.max(1, ...turns.map((turn) => turn.total_ms ?? 0));
  return (
    <Card title="Latency">
      <p className="mb-4 text-muted">
        Half of the answers began within {ms(p50)}, 95% within {ms(p95)}, the slowest after {ms(max)}.
      </p>
      <ul className="mb-4 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        {PARTS.map((part) => (
          <li key={part.key} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm ${part.className}`} />
            {part.name}
          </li>
        ))}
      </ul>
      <ol className="flex flex-col gap-1.5">
        {turns.map((turn) => (
          <li key={turn.turn} className="grid grid-cols-[3.5rem_1fr_5.5rem] items-center gap-3 text-sm">
            <span className="text-muted">Turn {turn.turn}</span>
            <span className="flex h-3 overflow-hidden rounded-sm bg-raised" title={partsOf(turn)}>
              <span className="sr-only">{partsOf(turn)}</span>
              {PARTS.map((part) => (
                <span
                  key={part.key}
                  className={part.className}
                  style={{ width: `${((turn[part.key] ?? 0) / longest) * 100}%` }}
                />
              ))}
            </span>
            <span className="text-right tabular-nums">{ms(turn.total_ms)}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Answers are texts, numbers, booleans or null. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '–' : JSON.stringify(value);

/** The summary of a conversation, and the answers to the questions of its assistant. */
export function Analysis({
  platform,
  client,
}: {
  platform: Readonly<Record<string, unknown>> | null | undefined;
  client: Readonly<Record<string, unknown>> | null | undefined;
}): ReactNode {
  const text = (name: string): string | null => {
    const value = platform?.[name];
    return typeof value === 'string' ? value : null;
  };
  const summary = text('summary');
  if (summary === null) return null;
  return (
    <Card title="Analysis">
      <p className="mb-4">{summary}</p>
      <Facts
        rows={[
          ['Outcome', <Badge key="label">{formatCode(text('classification'))}</Badge>],
          ['Sentiment', formatCode(text('sentiment'))],
          ['Why it ended', formatCode(text('call_disconnect_reason'))],
          ...Object.entries(client ?? {}).map(([name, value]) => [name, textOf(value)] as const),
        ]}
      />
    </Card>
  );
}
