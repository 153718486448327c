import type { ReactNode } from 'react';
import { formatCode, formatNumber } from '../../ui/format.tsx';
import { FallbackBadge } from '../../parts/fallback-badge.tsx';
import { Badge } from '../../ui/page.tsx';
import type { Turn } from './types.ts';

type ShownTurn = Pick<
  Turn,
  | 'message'
  | 'replies'
  | 'tool_calls'
  | 'usage'
  | 'end_reason'
  | 'ms'
  | 'engine'
  | 'vendor'
  | 'is_fallback'
  | 'vendor_faults'
> & {
  readonly opted_out?: boolean;
};

/** What both sides wrote, with the tools that ran between and what each turn used. */
export function Turns({
  turns,
  speaker = 'You',
}: {
  turns: readonly ShownTurn[];
  /** Who talks to the assistant. */
  speaker?: string;
}): ReactNode {
  return (
    <ol className="flex flex-col gap-4" aria-label="Conversation" aria-live="polite">
      {turns.map((turn, index) => (
        // A turn has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="flex flex-col gap-2">
          {turn.message === null ? null : (
            <p className="ml-auto max-w-[85%] rounded-lg bg-raised px-3 py-2 whitespace-pre-wrap wrap-anywhere">
              <span className="block text-xs text-muted">{speaker}</span>
              {turn.message}
            </p>
          )}
          {turn.tool_calls.map((tool, at) => (
            <details
              // A tool may run twice in a turn.
              // oxlint-disable-next-line react/no-array-index-key
              key={`${tool.name} ${at}`}
              className="rounded-md border border-line px-3 py-2 text-sm"
            >
              <summary className="cursor-pointer">
                Tool <code className="font-mono">{tool.name}</code>{' '}
                <Badge tone={tool.ok ? 'good' : 'warn'}>{tool.ok ? 'Worked' : 'No result'}</Badge>{' '}
                <span className="text-muted">{formatNumber(tool.ms)} ms</span>
              </summary>
              <pre className="mt-2 overflow-x-auto font-mono text-xs whitespace-pre-wrap wrap-anywhere">
                {JSON.stringify({ arguments: tool.args, result: tool.result }, null, 2)}
              </pre>
            </details>
          ))}
          {turn.replies.map((reply, at) => (
            <p
              // Two replies may say the same.
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              className="max-w-[85%] rounded-lg border border-line px-3 py-2 whitespace-pre-wrap wrap-anywhere"
            >
              <span className="block text-xs text-muted">Assistant</span>
              {reply}
            </p>
          ))}
          <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
            <span>{formatNumber(turn.ms)} ms</span>
            {turn.usage.map((usage) => (
              <span key={`${usage.vendor} ${usage.model}`}>
                {usage.model}: {usage.input_tokens ?? '–'} tokens in, {usage.output_tokens ?? '–'} out
              </span>
            ))}
            <FallbackBadge by={turn} />
            {turn.opted_out === true ? <Badge tone="warn">Opted out</Badge> : null}
            {turn.end_reason === null ? null : <Badge>{formatCode(turn.end_reason)}</Badge>}
          </p>
        </li>
      ))}
    </ol>
  );
}
