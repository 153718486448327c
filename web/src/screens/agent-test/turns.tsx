import type { ReactNode } from 'react';
import { formatNumber } from '../../ui/format.tsx';
import { FallbackBadge } from '../../parts/fallback-badge.tsx';
import { Badge } from '../../ui/page.tsx';
import type { Turn } from './types.ts';
import { chatEndName } from '../../parts/outcomes.ts';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

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
    <ol className="flex flex-col gap-4" aria-label={t('Conversation')} aria-live="polite">
      {turns.map((turn, index) => (
        // A turn has no other identity than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="flex flex-col gap-2">
          {turn.message === null ? null : (
            <p className="ml-auto max-w-[85%] rounded-lg bg-raised px-3 py-2 whitespace-pre-wrap wrap-anywhere">
              <span className="block text-xs text-muted">{t(speaker)}</span>
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
                {rich('Tool {name} {ok} {ms}', {
                  name: <code className="font-mono">{tool.name}</code>,
                  ok: (
                    <Badge tone={tool.ok ? 'good' : 'warn'}>{tool.ok ? t('Worked') : t('No result')}</Badge>
                  ),
                  ms: <span className="text-muted">{t('{ms} ms', { ms: formatNumber(tool.ms) })}</span>,
                })}
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
              <span className="block text-xs text-muted">{t('Assistant')}</span>
              {reply}
            </p>
          ))}
          <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
            <span>{t('{ms} ms', { ms: formatNumber(turn.ms) })}</span>
            {turn.usage.map((usage) => (
              <span key={`${usage.vendor} ${usage.model}`}>
                {t('{model}: {inputTokens} tokens in, {outputTokens} out', {
                  model: usage.model ?? '',
                  inputTokens: usage.input_tokens ?? '–',
                  outputTokens: usage.output_tokens ?? '–',
                })}
              </span>
            ))}
            <FallbackBadge by={turn} />
            {turn.opted_out === true ? <Badge tone="warn">{t('Opted out')}</Badge> : null}
            {turn.end_reason === null ? null : <Badge>{chatEndName(turn.end_reason)}</Badge>}
          </p>
        </li>
      ))}
    </ol>
  );
}
