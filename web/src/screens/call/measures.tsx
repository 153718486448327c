import type { ReactNode } from 'react';
import { outcomeName } from '../../parts/outcomes.ts';
import { formatCode } from '../../ui/format.tsx';
import { LatencyBar, LatencyLegend, ms } from '../../parts/latency-bar.tsx';
import { Badge, Card, Facts } from '../../ui/page.tsx';
import { questionsOf } from './questions.ts';
import type { Call } from './types.ts';
import { sentimentName } from '../../parts/result-name.ts';
import { t } from '../../words/words.ts';

/** How long the assistant took to answer each turn, and which part took it. */
export function Latency({ call }: { call: Call }): ReactNode {
  const { turns, p50_ms: p50, p95_ms: p95, max_ms: max } = call.latency;
  if (turns.length === 0) return null;
  const longest = Math.max(1, ...turns.map((turn) => turn.total_ms ?? 0));
  return (
    <Card title={t('Reply delay')}>
      <p className="mb-4 text-muted">
        {t('Half of the answers began within {half}, 95% within {most}, the slowest after {slowest}.', {
          half: ms(p50),
          most: ms(p95),
          slowest: ms(max),
        })}
      </p>
      <div className="mb-4">
        <LatencyLegend />
      </div>
      <ol className="flex flex-col gap-1.5">
        {turns.map((turn) => (
          <li key={turn.turn} className="grid grid-cols-[3.5rem_1fr_5.5rem] items-center gap-3 text-sm">
            <span className="text-muted">{t('Turn {turn}', { turn: turn.turn })}</span>
            <LatencyBar parts={turn} longest={longest} />
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

/** The analyst without a model: its summary quotes the transcript, which stands on the same page. */
const BY_RULES = 'offline-rules';

/** The summary of a conversation, or without a model what was asked and answered, and the answers to its assistant's questions. */
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
    <Card title={t('Analysis')}>
      {text('analyzed_by') === BY_RULES ? (
        <Answered points={platform?.['key_points']} />
      ) : (
        <p className="mb-4">{summary}</p>
      )}
      <Facts
        rows={[
          ['Outcome', <Badge key="label">{formatCode(text('classification'))}</Badge>],
          ['Sentiment', sentimentName(text('sentiment'))],
          ['Why it ended', outcomeName(text('call_disconnect_reason'))],
          ...Object.entries(client ?? {}).map(([name, value]) => [name, textOf(value)] as const),
        ]}
      />
    </Card>
  );
}

/** The questions of the assistant with the words that answered them. */
function Answered({ points }: { points: unknown }): ReactNode {
  const questions = questionsOf(points);
  if (questions.length === 0) return null;
  return (
    <dl aria-label={t('Questions and answers')} className="mb-4 flex flex-col gap-2">
      {questions.map(({ question, answer }, index) => (
        // A question may be asked twice.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={`${question} ${index}`}>
          <dt className="text-sm wrap-anywhere text-muted">{question}</dt>
          <dd className="wrap-anywhere">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}
