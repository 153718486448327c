import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CapturedMessage } from '../../src/cli/pcap.ts';
import { dialogs, play } from '../helpers/sip/offer-answer-dialogs.ts';
import { violations } from '../helpers/sip/offer-answer-rules.ts';
import { describedIn, dissected } from '../helpers/sip/tshark.ts';

const DIALOGS = 200;
const dialogsOf = (count: number): ReturnType<typeof play>[] =>
  fc.sample(dialogs, { numRuns: count, seed: 3264 }).map(play);

it('200 generated dialogs, as tshark reads them, break no rule of RFC 3264', async () => {
  const played = dialogsOf(DIALOGS);
  // Times far apart, so that tshark takes no message for a copy of another dialog's.
  const wire = played.flatMap(({ wire: sent }, n) =>
    sent.map((message): CapturedMessage => ({ ...message, at: message.at + n * 600_000 })),
  );
  const read = await dissected(wire);
  expect(read).toHaveLength(wire.length);

  let from = 0;
  let descriptions = 0;
  for (const { wire: sent, said } of played) {
    const described = describedIn(read.slice(from, from + sent.length));
    from += sent.length;
    // tshark finds each offer and answer that was played, in its order.
    expect(described.map(({ by, answers }) => [by, answers !== null])).toEqual(
      said.map(({ by, answers }, at) => [by, answers !== null || at === 1]),
    );
    expect(violations(described, 'us')).toEqual([]);
    expect(violations(described, 'peer')).toEqual([]);
    descriptions += described.length;
  }
  expect(descriptions).toBeGreaterThan(4 * DIALOGS);
});

const isReceiveOnly = ({ direction, text }: CapturedMessage): boolean =>
  direction === 'out' && text.includes('a=recvonly');

it('a wrong direction in our answers is seen', async () => {
  const faults: string[] = [];
  const answered = dialogsOf(DIALOGS)
    .filter(({ wire }) => wire.some(isReceiveOnly))
    .slice(0, 5);
  for (const { wire } of answered) {
    const wrong = wire.map((message) =>
      message.direction === 'out'
        ? { ...message, text: message.text.replace('a=recvonly', 'a=sendrecv') }
        : message,
    );
    faults.push(...violations(describedIn(await dissected(wrong)), 'us'));
  }
  expect(faults).toContain('sendrecv answers sendonly');
});
