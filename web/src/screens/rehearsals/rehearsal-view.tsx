import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, ErrorNote, Facts } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { CallDialog } from './call-dialog.tsx';
import { Grid } from './grid.tsx';
import type { Result } from './types.ts';
import { formatMoney } from '../../parts/vendors.ts';
import { formatNumber } from '../../ui/format.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { t } from '../../words/words.ts';
import { DETECTOR_NAMES } from '../call/detector-names.ts';

const STATES = {
  queued: { text: 'Waiting', tone: 'neutral' },
  running: { text: 'Running', tone: 'neutral' },
  ended: { text: 'Ended', tone: 'good' },
  cancelled: { text: 'Cancelled', tone: 'warn' },
  error: { text: 'Not played', tone: 'bad' },
} as const;
/** Why a rehearsal ended before its last call. */
const STOPS = {
  max_cost: 'It stopped early: the next call could have exceeded the cost limit.',
  credits: 'It stopped early: the credits or a spending limit ran out.',
  no_model: 'It stopped early: the workspace has no language model.',
} as const;
/** Why rules worded a line in place of a model. */
const REASONS = {
  unanswered: 'no answer',
  unreadable: 'answer not readable',
  empty: 'nothing said',
  out_of_character: 'left its role',
  too_many: 'too many lines',
} as const;
/** Between two looks at a rehearsal that goes on. */
const LOOK_MS = 5_000;

const inSeconds = (ms: number | null | undefined): string =>
  ms == null ? '–' : `${formatNumber(ms / 1_000)} s`;

/** One rehearsal: progress, then the grid, the comparison and the worst calls. */
export function RehearsalView({
  agentId,
  rehearsalId,
  mayCancel,
}: {
  agentId: string;
  rehearsalId: string;
  mayCancel: boolean;
}): ReactNode {
  const input = { agent_id: agentId, rehearsal_id: rehearsalId };
  const [isOver, setOver] = useState(false);
  const read = useRead('getRehearsal', input, { every: isOver ? false : LOOK_MS });
  const rehearsal = read.data?.rehearsal;
  const hasEnded = rehearsal !== undefined && (rehearsal.result !== null || rehearsal.state === 'error');
  if (hasEnded !== isOver) setOver(hasEnded);
  const cancel = useChange('cancelRehearsal', ['getRehearsal', 'listRehearsals'], () =>
    t('The rehearsal ends.'),
  );
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <Loaded read={read}>
      {({ rehearsal: shown }) => {
        const { text, tone } = STATES[shown.state];
        const goesOn = shown.ended_at === null;
        return (
          <div className="flex flex-col gap-6">
            <div className="flex flex-wrap items-center gap-3">
              <p role="status" className="flex flex-wrap items-center gap-2">
                <Badge tone={tone}>{t(text)}</Badge>
                {shown.mode === 'sound' ? <Badge tone="neutral">{t('By sound')}</Badge> : null}
                <span>
                  {t('{playedCalls} of {calls} calls', {
                    playedCalls: shown.played_calls,
                    calls: shown.calls,
                  })}
                </span>
                {shown.cost === null || shown.currency === null ? null : (
                  <span>
                    {shown.max_cost === null
                      ? t('{money} spent', { money: formatMoney(shown.cost, shown.currency) })
                      : t('{money} of {most} spent', {
                          money: formatMoney(shown.cost, shown.currency),
                          most: formatMoney(shown.max_cost, shown.currency),
                        })}
                  </span>
                )}
                {shown.stopped_by === null ? null : <span>{t(STOPS[shown.stopped_by])}</span>}
                {shown.error === null ? null : <span className="text-bad">{shown.error}</span>}
              </p>
              {goesOn && mayCancel ? (
                <>
                  <Button busy={cancel.isPending} onClick={() => cancel.mutate(input)}>
                    {t('Cancel')}
                  </Button>
                  <CopyCurl operation="cancelRehearsal" input={input} />
                </>
              ) : null}
            </div>
            {cancel.isError ? <ErrorNote error={cancel.error} /> : null}
            {goesOn ? <progress className="w-full" value={shown.played_calls} max={shown.calls} /> : null}
            {shown.result === null ? null : (
              <Found result={shown.result} against={shown.against_version_slug} onOpen={setOpened} />
            )}
            {opened === null ? null : (
              <CallDialog
                {...input}
                call={opened}
                hasOther={shown.against_version_id !== null}
                onClose={() => setOpened(null)}
              />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

const callerLines = (lines: Result['caller_lines']): (readonly [string, string])[] =>
  lines === undefined
    ? []
    : [
        [t('Lines worded by the model'), String(lines.by_model)],
        ...lines.by_rules.map(
          ({ reason, lines: count }) =>
            [t('Worded by rules: {reason}', { reason: t(REASONS[reason]) }), String(count)] as const,
        ),
      ];

function Found({
  result,
  against,
  onOpen,
}: {
  result: Result;
  against: string | null;
  onOpen: (call: number) => void;
}): ReactNode {
  const { comparison } = result;
  return (
    <>
      <Facts
        rows={[
          ['Passed', t('{some} of {all}', { some: result.passed, all: result.passed + result.failed })],
          ...result.pass_at
            .filter(({ calls }) => calls > 1)
            .map(
              ({ calls, chance }) =>
                [t('Chance that {calls} calls in a row pass', { calls }), formatShare(chance)] as const,
            ),
          ...callerLines(result.caller_lines),
          ['Mean time to a reply', inSeconds(result.reply_ms)],
          ...result.alarms.map(
            ({ detector, calls }) =>
              [
                t((DETECTOR_NAMES as Readonly<Record<string, string>>)[detector] ?? detector),
                calls === 1 ? t('in 1 call') : t('in {count} calls', { count: calls }),
              ] as const,
          ),
        ]}
      />
      {comparison === null ? null : (
        <Compared comparison={comparison} against={against ?? t('the other version')} />
      )}
      <Grid scenarios={result.scenarios} onOpen={onOpen} />
      {result.worst.length === 0 ? null : (
        <Table
          caption={t('Worst calls')}
          columns={[
            { title: 'Call', cell: ({ call }) => call, isNumber: true },
            { title: 'Scenario', cell: ({ scenario }) => scenario },
            {
              title: 'Expectations not met',
              cell: ({ reasons }) => <span className="wrap-anywhere">{reasons.join(' ')}</span>,
            },
            ...(comparison === null
              ? []
              : [
                  {
                    title: 'Before',
                    cell: ({ passed_before: passed }: Result['worst'][number]) =>
                      passed === true ? t('passed') : t('failed'),
                  },
                ]),
            {
              title: 'Action',
              cell: ({ call }) => (
                <Button aria-label={t('Open call {call}', { call })} onClick={() => onOpen(call)}>
                  {t('Open')}
                </Button>
              ),
            },
          ]}
          rows={result.worst}
          keyOf={({ call }) => String(call)}
        />
      )}
    </>
  );
}

function Compared({
  comparison,
  against,
}: {
  comparison: NonNullable<Result['comparison']>;
  against: string;
}): ReactNode {
  const { passed, alarmed, reply_ms: reply, is_worse: isWorse, reasons } = comparison;
  const change = (of: typeof passed): string =>
    t('{before} before, {after} now: {difference} ({low} to {high})', {
      before: formatNumber(of.before),
      after: formatNumber(of.after),
      difference: formatShare(of.difference),
      low: formatShare(of.low),
      high: formatShare(of.high),
    });
  return (
    <section className="flex flex-col gap-3" aria-label={t('Comparison')}>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={isWorse ? 'bad' : 'good'}>{isWorse ? t('Worse') : t('Not worse')}</Badge>
        <span>
          {isWorse
            ? t('than {against} at 95%: {value}.', { against, value: reasons.join('; ') })
            : t('than {against} at 95%, on the same {calls} callers.', { against, calls: comparison.calls })}
        </span>
      </p>
      <Facts
        rows={[
          ['Calls that passed', change(passed)],
          ['Calls with alarms', change(alarmed)],
          [
            'Time to a reply',
            t('{difference} ms later ({low} to {high} ms)', {
              difference: formatNumber(Math.round(reply.difference)),
              low: formatNumber(Math.round(reply.low)),
              high: formatNumber(Math.round(reply.high)),
            }),
          ],
        ]}
      />
    </section>
  );
}
