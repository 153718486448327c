import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { Button } from '../../ui/controls.tsx';
import { saveSheets, type Sheet } from '../../ui/sheet.ts';
import {
  agentSheet,
  chatSheet,
  comparisonSheet,
  criteriaSheet,
  daySheet,
  hourSheet,
  lengthSheet,
  numberSheet,
  outcomeSheet,
  reactionSheet,
  reactionVersionSheet,
  resultSheet,
  sentimentSheet,
  vendorSheet,
} from './sheets.ts';
import { t } from '../../words/words.ts';

interface Read<Data> {
  readonly data: { readonly data: Data } | undefined;
}
interface Reads {
  readonly totals: Read<Answer<'getPlatformAnalytics'>['data']>;
  readonly drill: Read<Answer<'getDrillDownAnalytics'>['data']>;
  readonly numbers: Read<Answer<'getNumberAnalytics'>['data']>;
  readonly lengths: Read<Answer<'getDurationDistribution'>['data']>;
  readonly labels: Read<Answer<'getClassificationAnalytics'>['data']>;
  readonly criteria: Read<Answer<'getEvaluationAnalytics'>['data']>;
  readonly reaction: Read<Answer<'getReactionAnalytics'>['data']>;
  readonly hours: Read<Answer<'getHourAnalytics'>['data']>;
  readonly usage: Read<Answer<'getVendorAnalytics'>['data']>;
  /** Null: no two versions have calls. */
  readonly comparison: Read<Answer<'getComparisonAnalytics'>['data']> | null;
  /** Null: chats belong to no campaign. */
  readonly chats: Read<Answer<'getChatAnalytics'>['data']> | null;
}

/** Downloads every table of the page as one CSV, once all are loaded. */
export function WholeView({ reads }: { reads: Reads }): ReactNode {
  const sheets = sheetsOf(reads);
  return (
    <Button
      disabled={sheets.includes(null)}
      onClick={() =>
        saveSheets(
          sheets.filter((sheet) => sheet !== null),
          'analytics.csv',
        )
      }
    >
      {t('Download all as CSV')}
    </Button>
  );
}

/** The sheet of a read; null while it loads. */
const of = <Data,>({ data }: Read<Data>, toSheet: (data: Data) => Sheet): Sheet | null =>
  data === undefined ? null : toSheet(data.data);

const sheetsOf = (reads: Reads): (Sheet | null)[] => [
  of(reads.totals, daySheet),
  of(reads.reaction, reactionSheet),
  of(reads.reaction, reactionVersionSheet),
  of(reads.hours, hourSheet),
  of(reads.drill, outcomeSheet),
  of(reads.drill, agentSheet),
  ...(reads.comparison === null ? [] : [of(reads.comparison, comparisonSheet)]),
  of(reads.numbers, ({ numbers }) => numberSheet(numbers)),
  of(reads.lengths, lengthSheet),
  of(reads.labels, resultSheet),
  of(reads.labels, sentimentSheet),
  of(reads.criteria, ({ evaluations }) => criteriaSheet(evaluations)),
  of(reads.usage, vendorSheet),
  ...(reads.chats === null ? [] : [of(reads.chats, chatSheet)]),
];
