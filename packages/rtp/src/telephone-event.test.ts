import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DtmfDigit } from '@callwright/audio';
import {
  createEventReceiver,
  createEventSender,
  nextSendStep,
  queueDigits,
  receiveEvent,
  tickEvents,
} from './telephone-event.ts';

/** Digits that a receiver reports for the packets of a sender, each passed through `line` (0, 1 or 2 copies). */
function received(digits: string, line: (n: number) => number): string {
  const [sender, receiver] = [createEventSender(), createEventReceiver()];
  queueDigits(sender, digits.split('') as Parameters<typeof queueDigits>[1]);
  const payload = new Uint8Array(4);
  let heard = '';
  let n = 0;
  for (let at = 0; at < digits.length * 400 + 1_000; at += 20) {
    const step = nextSendStep(sender, at * 8, payload, 0);
    if (step !== 'audio' && step !== 'pause') {
      for (let copies = line(n++); copies > 0; copies--) {
        heard += receiveEvent(receiver, payload.slice(), sender.timestamp, at) ?? '';
      }
    }
    heard += tickEvents(receiver, at) ?? '';
  }
  return heard;
}

const payload = (event: number, duration: number, end = false): Uint8Array =>
  Uint8Array.of(event, 10 | (end ? 0x80 : 0), duration >> 8, duration & 0xff);

/** Digits reported for packets [event, duration, end, timestamp], one every 20 ms, then a second of silence. */
function digitsOf(packets: readonly (readonly [number, number, boolean, number])[]): string {
  const receiver = createEventReceiver();
  let at = 1000;
  const digits: (DtmfDigit | null)[] = [];
  for (const [event, duration, end, timestamp] of packets) {
    digits.push(receiveEvent(receiver, payload(event, duration, end), timestamp >>> 0, at));
    at += 20;
    digits.push(tickEvents(receiver, at));
  }
  for (let i = 0; i < 50; i++) digits.push(tickEvents(receiver, (at += 20)));
  return digits.join('');
}

describe('event receiver', () => {
  it('reports a digit once, at its first end packet', () => {
    const receiver = createEventReceiver();
    expect(receiveEvent(receiver, payload(5, 160), 800, 0)).toBeNull();
    expect(receiveEvent(receiver, payload(5, 320), 800, 20)).toBeNull();
    expect(receiveEvent(receiver, payload(5, 480, true), 800, 40)).toBe('5');
    expect(receiveEvent(receiver, payload(5, 480, true), 800, 40)).toBeNull();
    expect(receiveEvent(receiver, payload(5, 480, true), 800, 60)).toBeNull();
    expect(tickEvents(receiver, 2000)).toBeNull();
  });

  it.each([
    ['reports a digit with only an end packet', [[11, 800, true, 5]], '#'],
    ['reports a digit without end packets', [[1, 160, false, 5]], '1'],
    [
      'reports a digit without end packets when the next one starts',
      [
        [1, 160, false, 5],
        [2, 160, false, 2000],
        [2, 800, true, 2000],
      ],
      '12',
    ],
    [
      'reports a digit without end packets before a digit with only end packets',
      [
        [1, 160, false, 5],
        [2, 800, true, 2000],
        [2, 800, true, 2000],
      ],
      '12',
    ],
    [
      'reports the same digit twice for two timestamps',
      [
        [7, 800, true, 5],
        [7, 160, false, 2000],
        [7, 800, true, 2000],
      ],
      '77',
    ],
    [
      'ignores late packets of an earlier digit',
      [
        [7, 800, true, 5000],
        [8, 160, false, 7000],
        [7, 800, true, 5000],
        [8, 800, true, 7000],
      ],
      '78',
    ],
    [
      'ignores a start packet after its end packet',
      [
        [3, 800, true, 50],
        [3, 160, false, 50],
      ],
      '3',
    ],
    [
      'handles the timestamp wrap',
      [
        [1, 800, true, 0xfffffff0],
        [2, 800, true, 1500],
      ],
      '12',
    ],
    [
      'handles a new time base',
      [
        [1, 800, true, 1_000_000],
        [2, 800, true, 100],
      ],
      '12',
    ],
    [
      'reports a segmented long event once',
      [
        [4, 0xffff, false, 100],
        [4, 160, false, 100 + 0xffff],
        [4, 800, true, 100 + 0xffff],
      ],
      '4',
    ],
    [
      'reports the digits A to D',
      [
        [12, 800, true, 1],
        [15, 800, true, 3000],
      ],
      'AD',
    ],
    [
      'ignores flash and unknown events',
      [
        [16, 800, true, 1],
        [200, 800, true, 3000],
      ],
      '',
    ],
  ] as const)('%s', (_, packets, digits) => {
    expect(digitsOf(packets)).toBe(digits);
  });

  it('never throws on arbitrary bytes', () => {
    const receiver = createEventReceiver();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), fc.nat(0xffffffff), fc.nat(), (bytes, timestamp, at) => {
        const digit = receiveEvent(receiver, bytes, timestamp, at);
        expect(digit === null || '0123456789*#ABCD'.includes(digit)).toBe(true);
      }),
      { numRuns: 2000, seed: 2 },
    );
  });
});

/** Steps of 20 ms until idle: kind, timestamp, payload. */
function sent(digits: readonly DtmfDigit[]) {
  const sender = createEventSender();
  queueDigits(sender, digits);
  const bytes = new Uint8Array(4);
  return Array.from({ length: digits.length * 10 + 2 }, (_, i) => {
    const step = nextSendStep(sender, i * 160, bytes, 0);
    return { step, timestamp: sender.timestamp, bytes: [...bytes] };
  });
}

describe('event sender', () => {
  it('sends growing durations, then the end three times, then a pause', () => {
    const steps = sent(['5']);
    expect(steps.map(({ step }) => step)).toEqual([
      'event_start',
      ...Array<string>(6).fill('event'),
      ...Array<string>(3).fill('pause'),
      'audio',
      'audio',
    ]);
    const durations = steps.slice(0, 7).map(({ bytes }) => ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0));
    expect(durations).toEqual([160, 320, 480, 640, 800, 800, 800]);
    expect(steps.slice(0, 7).map(({ bytes }) => (bytes[1] ?? 0) >> 7)).toEqual([0, 0, 0, 0, 1, 1, 1]);
    expect((steps[0]?.bytes[1] ?? 0) & 0x3f).toBe(10);
    expect(new Set(steps.slice(0, 7).map(({ timestamp }) => timestamp))).toEqual(new Set([0]));
  });

  it('the receiver reports each digit with any one of its packets lost', () => {
    const digits = ['1', '1', '*', 'C', '0'] as const;
    fc.assert(
      fc.property(fc.array(fc.nat(6), { minLength: 5, maxLength: 5 }), (lost) => {
        const packets = sent(digits)
          .filter(({ step }) => step === 'event_start' || step === 'event')
          .filter((_, i) => i % 7 !== lost[Math.floor(i / 7)])
          .map(
            ({ bytes, timestamp }) =>
              [
                bytes[0] ?? 0,
                ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0),
                (bytes[1] ?? 0) >= 128,
                timestamp,
              ] as const,
          );
        expect(digitsOf(packets)).toBe(digits.join(''));
      }),
    );
  });

  it('queues at most 64 digits', () => {
    const sender = createEventSender();
    queueDigits(
      sender,
      Array.from({ length: 100 }, () => '1' as const),
    );
    expect(sender.queue).toHaveLength(64);
  });
});

describe('keys over a bad line', () => {
  it.each([
    ['on a clean line', () => 1],
    ['when every packet comes twice', () => 2],
    [
      'when every third packet is lost, the marker or the end among them',
      (n: number) => (n % 3 === 0 ? 0 : 1),
    ],
    ['when only end packets arrive', (n: number) => (n % 7 >= 4 ? 1 : 0)],
  ] satisfies [string, (n: number) => number][])('reports every key once %s', (_what, line) => {
    expect(received('1459*0#77', line)).toBe('1459*0#77');
  });
});
