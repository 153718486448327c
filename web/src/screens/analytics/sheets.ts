import type { Answer } from '../../api/client.ts';
import type { Sheet } from '../../ui/sheet.ts';
import { REACTION_PARTS } from './reaction-parts.ts';

/** The tables of the analytics as sheets: seconds, milliseconds, credits, and shares of 0 to 1. */

interface Measures {
  readonly total_calls: number;
  readonly answered_calls: number;
  readonly completed_calls: number;
  readonly answer_rate: number;
  readonly total_attempts: number;
  readonly average_duration: number;
  readonly total_duration: number;
  readonly total_cost: number;
}
const MEASURES = [
  'total_calls',
  'answered_calls',
  'completed_calls',
  'answer_rate',
  'total_attempts',
  'average_duration',
  'total_duration',
  'total_cost',
] as const satisfies readonly (keyof Measures)[];
const measuresOf = (row: Measures): number[] => MEASURES.map((name) => row[name]);

type Totals = Answer<'getPlatformAnalytics'>['data'];
type DrillDown = Answer<'getDrillDownAnalytics'>['data'];
type Labels = Answer<'getClassificationAnalytics'>['data'];
type Reaction = Answer<'getReactionAnalytics'>['data'];
type Comparison = Answer<'getComparisonAnalytics'>['data'];
type NumberRow = Answer<'getNumberAnalytics'>['data']['numbers'][number];
type CriterionRow = Answer<'getEvaluationAnalytics'>['data']['evaluations'][number];
type Chats = Answer<'getChatAnalytics'>['data'];

export const daySheet = ({ daily }: Totals): Sheet => ({
  name: 'Calls by day',
  columns: ['day_utc', ...MEASURES],
  rows: daily.map((day) => [day.date, ...measuresOf(day)]),
});

export const outcomeSheet = ({ outcomes }: Pick<DrillDown, 'outcomes'>): Sheet => ({
  name: 'Outcomes',
  columns: ['status', 'sub_status', ...MEASURES],
  rows: outcomes.flatMap(({ status, sub_statuses: all }) =>
    all.map((row) => [status, row.sub_status, ...measuresOf(row)]),
  ),
});

export const agentSheet = ({ agents }: Pick<DrillDown, 'agents'>): Sheet => ({
  name: 'Assistants and versions',
  columns: ['agent_id', 'agent_name', 'version_id', 'version_slug', ...MEASURES],
  rows: agents.flatMap(({ agent_id: id, agent_name: name, versions }) =>
    versions.map((row) => [id, name, row.version_id, row.version_slug, ...measuresOf(row)]),
  ),
});

export const numberSheet = (numbers: readonly NumberRow[]): Sheet => ({
  name: 'Numbers',
  columns: ['number', 'display_name', ...MEASURES],
  rows: numbers.map((row) => [row.number, row.display_name, ...measuresOf(row)]),
});

export const lengthSheet = ({ buckets }: Answer<'getDurationDistribution'>['data']): Sheet => ({
  name: 'Length of answered calls',
  columns: ['from_seconds', 'to_seconds', 'calls', 'share'],
  rows: buckets.map((row) => [row.from_seconds, row.to_seconds, row.calls, row.share]),
});

const labelSheet = (name: string, rows: Labels['sentiments']): Sheet => ({
  name,
  columns: ['label', 'calls', 'share'],
  rows: rows.map(({ label, calls, share }) => [label, calls, share]),
});
export const resultSheet = (labels: Labels): Sheet =>
  labelSheet('Results of conversations', labels.classifications);
export const sentimentSheet = (labels: Labels): Sheet => labelSheet('Sentiment', labels.sentiments);

export const criteriaSheet = (rows: readonly CriterionRow[]): Sheet => ({
  name: 'Criteria',
  columns: ['criterion', 'agent_name', 'version_slug', 'passed', 'failed', 'not_judged', 'passed_share'],
  rows: rows.map((row) => [
    row.name,
    row.agent_name,
    row.version_slug,
    row.passed,
    row.failed,
    row.not_judged,
    row.passed_share,
  ]),
});

export const detectorSheet = (rows: Answer<'getFindings'>['detectors']): Sheet => ({
  name: 'Detectors',
  columns: ['detector', 'calls', 'share', 'false_alarms', 'false_share'],
  rows: rows.map((row) => [row.detector, row.calls, row.share, row.false_alarms, row.false_share]),
});

export const qualitySheet = (days: readonly Answer<'getFindings'>['days'][number][]): Sheet => ({
  name: 'Quality by day',
  columns: ['date', 'checked_calls', 'calls_with_finding', 'finding_share', 'scored_calls', 'mean_score'],
  rows: days.map((day) => [
    day.date,
    day.checked_calls,
    day.calls_with_finding,
    day.finding_share,
    day.scored_calls,
    day.mean_score,
  ]),
});

export const vendorSheet = ({ vendors, currency }: Answer<'getVendorAnalytics'>['data']): Sheet => ({
  name: 'Vendors',
  columns: [
    'part',
    'vendor',
    'model',
    'calls',
    'audio_seconds',
    'input_tokens',
    'output_tokens',
    'characters',
    'cost',
    'currency',
  ],
  rows: vendors.map((row) => [
    row.part,
    row.vendor,
    row.model,
    row.calls,
    row.audio_seconds,
    row.input_tokens,
    row.output_tokens,
    row.characters,
    row.cost,
    currency,
  ]),
});

const PERCENTILES = ['turns', 'p50_ms', 'p95_ms', 'p99_ms'] as const;
/** A row for each part. */
const partRows = (
  of: Pick<Reaction, (typeof REACTION_PARTS)[number]['key']>,
  first: readonly (string | null)[],
): (string | number | null)[][] =>
  REACTION_PARTS.map(({ key }) => [...first, key, ...PERCENTILES.map((name) => of[key][name])]);

export const reactionSheet = ({ daily }: Reaction): Sheet => ({
  name: 'Reply delay by day',
  columns: ['day_utc', 'part', ...PERCENTILES],
  rows: daily.flatMap((day) => partRows(day, [day.date])),
});
export const reactionVersionSheet = ({ versions }: Reaction): Sheet => ({
  name: 'Reply delay by version',
  columns: ['agent_name', 'version_slug', 'part', ...PERCENTILES],
  rows: versions.flatMap((each) => partRows(each, [each.agent_name, each.version_slug])),
});

export const hourSheet = ({ timezone, hours }: Answer<'getHourAnalytics'>['data']): Sheet => ({
  name: 'Hours of the day',
  columns: [
    'hour',
    'timezone',
    'attempts',
    'answered_attempts',
    'answer_rate',
    'average_duration',
    ...PERCENTILES,
  ],
  rows: hours.map((row) => [
    row.hour,
    timezone,
    row.attempts,
    row.answered_attempts,
    row.answer_rate,
    row.average_duration,
    ...PERCENTILES.map((name) => row.reaction?.[name] ?? null),
  ]),
});

export const comparisonSheet = ({ a, b, shares }: Comparison): Sheet => ({
  name: 'Versions compared',
  columns: ['measure', 'a', 'b', 'a_of', 'b_of', 'difference', 'low_95', 'high_95', 'verdict'],
  rows: [
    ['version', a.version_slug, b.version_slug, null, null, null, null, null, null],
    ...shares.map((row) => [
      row.criterion ?? row.of,
      row.a.share,
      row.b.share,
      row.a.total,
      row.b.total,
      row.difference,
      row.low,
      row.high,
      row.verdict,
    ]),
    [
      'average_duration',
      a.average_duration,
      b.average_duration,
      a.answered_calls,
      b.answered_calls,
      null,
      null,
      null,
      null,
    ],
    ...(['p50_ms', 'p95_ms', 'p99_ms'] as const).map((name) => [
      `reaction_${name}`,
      a.reaction[name],
      b.reaction[name],
      a.reaction.turns,
      b.reaction.turns,
      null,
      null,
      null,
      null,
    ]),
  ],
});

const counts = (of: Readonly<Record<string, number>>, kind: string): (string | number)[][] =>
  Object.entries(of).map(([name, count]) => [`${kind}: ${name}`, count]);
export const chatSheet = (chats: Chats): Sheet => ({
  name: 'Chats',
  columns: ['figure', 'value'],
  rows: [
    ['total_chats', chats.total_chats],
    ['open_chats', chats.open_chats],
    ['with_person', chats.with_person],
    ['user_messages', chats.user_messages],
    ['agent_messages', chats.agent_messages],
    ['person_messages', chats.person_messages],
    ['average_duration', chats.average_duration],
    ...counts(chats.by_channel, 'channel'),
    ...counts(chats.by_end_reason, 'end'),
    ...counts(chats.by_classification, 'result'),
  ],
});
