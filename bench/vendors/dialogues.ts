import { HAS_MARKS, repliesTo } from '../../test/rigs/vendors/pairs.ts';
import { holdDialogues, type Dialogue, type LineOptions } from '../../test/rigs/vendors/dialogue.ts';
import { table, type Bound } from '../report.ts';
import type { Fakes } from './fakes.ts';
import { pairOf } from './figures.ts';

/** Holds the dialogues with baresip, on stand-ins with usual delays. */
export async function dialoguesOn(
  fakes: Fakes,
  lines: readonly LineOptions[],
  turns: number,
): Promise<Dialogue[]> {
  const delays = { eagerMs: 150, endMs: 400, resultMs: 0, firstByteMs: 0, speechMs: 0, wordMs: 0 };
  for (const name of fakes.baseUrls.keys()) await fakes.set(name, { ...delays, replies: repliesTo(turns) });
  return holdDialogues(lines, { baseUrls: fakes.baseUrls, ownDatabase: true });
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[.,]/g, '').trim();
const isUnderstood = ({ said, understood }: Dialogue): boolean =>
  plain(said.join(' ')) === plain(understood.join(' '));
const mostApart = ({ line }: Dialogue): number => (HAS_MARKS.has(line.speaker) ? 0 : 1);
const nameOf = ({ line }: Dialogue): string => `${line.model ?? line.recogniser} and ${line.speaker}`;
const countOf = (lines: readonly string[]): number => plain(lines.join(' ')).split(/\s+/).length;

export const dialogueBounds = (dialogues: readonly Dialogue[]): Bound[] =>
  dialogues.map((one) => ({
    text: `${nameOf(one)}: every word of 20 turns is at the model, and the phone heard what the record says (${one.apart} words apart, bound ${mostApart(one)})`,
    holds: isUnderstood(one) && one.apart <= mostApart(one),
  }));

export function dialogueText(dialogues: readonly Dialogue[]): string[] {
  if (dialogues.length === 0) return [];
  const rows = dialogues.map((one) => [
    nameOf(one),
    `${countOf(one.understood)} of ${countOf(one.said)}`,
    `${one.heard.length} of ${countOf(one.recorded)}`,
    pairOf(one.reactionsMs.flatMap((wait) => wait ?? [])),
  ]);
  return [
    'Dialogues of 20 turns at once over SIP and RTP with baresip; words as tones, both ways:',
    table(
      [
        'recogniser and speaker',
        'words understood',
        'words in the phone, of the record',
        'reaction p50 / p95',
      ],
      rows,
    ),
  ];
}
