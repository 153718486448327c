import { describe, expect, it } from 'vitest';
import type { SttEvent, SttOptions, SttProvider } from '../ports/recogniser.ts';
import { vendorFault } from '../wire/fault.ts';
import { VendorHealth } from '../wire/health.ts';
import { ChainedRecogniser } from './chained.ts';

type Open = {
  options: SttOptions;
  /** Value of each frame written, and calls in order. */
  frames: number[];
  calls: string[];
  emit: (event: SttEvent) => void;
};

function recogniser(name: string, understands = true): SttProvider & { sessions: Open[] } {
  const sessions: Open[] = [];
  return {
    name,
    sessions,
    understands: () => understands,
    open(options) {
      const open: Open = { options, frames: [], calls: [], emit: (event) => options.onEvent(event) };
      sessions.push(open);
      return {
        write: (frame) => void open.frames.push(frame[0] ?? 0),
        speechStarted: () => void open.calls.push(`start after ${open.frames.length}`),
        speechEnded: () => void open.calls.push(`end after ${open.frames.length}`),
        expect: (expected) => void open.calls.push(`expect ${expected?.kinds.join() ?? 'nothing'}`),
        close: () => void open.calls.push('close'),
      };
    },
    close: () => Promise.resolve(),
  };
}

/** A chain with a caller whose frames are numbered, and its events. */
function chained(...members: (SttProvider & { sessions: Open[] })[]) {
  const events: SttEvent[] = [];
  const due: (() => void)[] = [];
  let clock = 0;
  const health = new VendorHealth(() => clock);
  const scheduler = {
    now: () => clock,
    after(_: number, work: () => void) {
      due.push(work);
      return () => undefined;
    },
  };
  const chain = new ChainedRecogniser(members, { health, scheduler });
  const open = () =>
    chain.open({
      language: 'en-US',
      secondaryLanguage: null,
      sampleRate: 8000,
      vocab: [],
      onEvent: (event) => void events.push(event),
    });
  const session = open();
  let frames = 0;
  return {
    chain,
    health,
    session,
    events,
    open,
    /** The number of frames so far. */
    write(count: number) {
      for (let i = 0; i < count; i++) session.write(new Int16Array(160).fill(++frames), frames * 20);
      return frames;
    },
    starts: () => session.speechStarted(frames * 20),
    ends: () => session.speechEnded(frames * 20),
    retry: () => due.shift()?.(),
    pass: (ms: number) => (clock += ms),
  };
}

const lost: SttEvent = { type: 'failed', message: 'vendor: lost', retryable: true, at: 0 };
const fault = vendorFault('vendor', 'key', '');
const refused: SttEvent = { type: 'failed', message: fault.message, retryable: false, at: 0, fault };
const words = (...list: string[]) =>
  list.map((text, i) => ({ text, startMs: 1_000 + i * 400, endMs: 1_300 + i * 400 }));

describe('a chain of recognisers', () => {
  it('opens a lost session again with the audio of the open utterance', () => {
    const vendor = recogniser('vendor');
    const call = chained(vendor, recogniser('offline'));
    call.write(100);
    call.starts();
    call.write(20);
    vendor.sessions[0]?.emit({ type: 'partial', text: 'I want', audioMs: 2_300, turn: '0', at: 0 });
    vendor.sessions[0]?.emit(lost);
    call.write(3);
    call.retry();
    call.write(1);
    const again = vendor.sessions[1];
    // Speech began after frame 100; 300 ms before it are heard again.
    expect([again?.frames[0], again?.frames.at(-1)]).toEqual([86, 124]);
    expect(again?.calls).toEqual(['expect nothing', 'start after 0']);
    again?.emit({
      type: 'final',
      text: 'I want a table',
      confidence: 1,
      audioMs: 700,
      endpoint: 'certain',
      turn: '0',
      at: 0,
    });
    // The turn keeps its name, and its time is that of the call.
    expect(call.events.at(-1)).toMatchObject({ text: 'I want a table', turn: '1.0', audioMs: 2_400 });
    expect(call.events.filter(({ type }) => type === 'failed' || type === 'switched')).toEqual([]);
  });

  it('ends the utterance at the new session when the caller has ended it meanwhile', () => {
    const vendor = recogniser('vendor');
    const call = chained(vendor, recogniser('offline'));
    call.write(20);
    call.starts();
    call.write(20);
    vendor.sessions[0]?.emit(lost);
    call.ends();
    call.retry();
    expect(vendor.sessions[1]?.calls).toEqual(['expect nothing', 'start after 0', 'end after 35']);
  });

  it('keeps words that are older than the audio that can be heard again', () => {
    const vendor = recogniser('vendor');
    const call = chained(vendor, recogniser('offline'));
    call.write(50);
    call.starts();
    call.write(330);
    // The ring begins at 1600 ms: "two" began before it, "three" at 1800 ms.
    const open = { text: 'one two three', words: words('one', 'two', 'three'), audioMs: 7_500 };
    vendor.sessions[0]?.emit({ type: 'partial', ...open, turn: '4', at: 0 });
    vendor.sessions[0]?.emit(lost);
    call.retry();
    expect(vendor.sessions[1]?.frames[0]).toBe(1_700 / 20 + 1);
    vendor.sessions[1]?.emit({ type: 'partial', text: 'three four', audioMs: 500, turn: '0', at: 0 });
    expect(call.events.at(-1)).toMatchObject({ text: 'one two three four', turn: '1.4' });
  });

  it('joins words without times where they overlap', () => {
    const vendor = recogniser('vendor');
    const call = chained(vendor, recogniser('offline'));
    call.starts();
    call.write(350);
    vendor.sessions[0]?.emit({ type: 'partial', text: 'one two three', audioMs: null, at: 0 });
    vendor.sessions[0]?.emit(lost);
    call.retry();
    vendor.sessions[1]?.emit({ type: 'final', text: 'Two three four', confidence: 1, audioMs: null, at: 0 });
    expect(call.events.at(-1)).toMatchObject({ text: 'one two three four' });
  });

  it('says the kept words when the next recogniser finds no more', () => {
    const vendor = recogniser('vendor');
    const offline = recogniser('offline');
    const call = chained(vendor, offline);
    call.starts();
    call.write(350);
    vendor.sessions[0]?.emit({ type: 'partial', text: 'one two three', audioMs: null, at: 0 });
    vendor.sessions[0]?.emit(refused);
    offline.sessions[0]?.emit({ type: 'nothing', at: 7 });
    expect(call.events.at(-1)).toMatchObject({ type: 'final', text: 'one two three', at: 7 });
  });

  it('hands over to the next recogniser when the fault lasts, and passes the first over for 30 s', () => {
    const vendor = recogniser('vendor');
    const offline = recogniser('offline');
    const call = chained(vendor, offline);
    call.session.expect({ kinds: ['yes_no'], phrases: [] });
    call.starts();
    call.write(30);
    vendor.sessions[0]?.emit(refused);
    expect(call.events).toMatchObject([
      {
        type: 'switched',
        message: 'vendor: the API key is refused; offline recognises instead',
        at: 0,
        fault: { vendor: 'vendor', kind: 'key' },
      },
    ]);
    expect(offline.sessions[0]?.calls).toEqual(['expect yes_no', 'start after 0']);
    expect(offline.sessions[0]?.frames).toHaveLength(30);
    offline.sessions[0]?.emit({ type: 'final', text: 'yes', confidence: 1, audioMs: 500, at: 1 });
    expect(call.events.at(-1)).toMatchObject({ type: 'final', text: 'yes' });

    call.pass(29_999);
    call.open();
    expect([vendor.sessions.length, offline.sessions.length]).toEqual([1, 2]);
    expect(call.events.at(-1)).toMatchObject({ type: 'switched' });
    call.pass(1);
    call.open();
    expect(vendor.sessions).toHaveLength(2);
  });

  it('hands over after three tries without a word', () => {
    const vendor = recogniser('vendor');
    const offline = recogniser('offline');
    const call = chained(vendor, offline);
    for (let i = 0; i < 4; i++) {
      vendor.sessions[i]?.emit(lost);
      call.retry();
    }
    expect([vendor.sessions.length, offline.sessions.length]).toEqual([4, 1]);
  });

  it('keeps trying a vendor that closes quiet connections now and then', () => {
    const vendor = recogniser('vendor');
    const call = chained(vendor, recogniser('offline'));
    for (let i = 0; i < 10; i++) {
      call.write(501);
      vendor.sessions[i]?.emit(lost);
      call.retry();
    }
    expect(vendor.sessions).toHaveLength(11);
  });

  it('passes the faults of the last recogniser on, and drops events of closed sessions', () => {
    const vendor = recogniser('vendor');
    const offline = recogniser('offline');
    const call = chained(vendor, offline);
    vendor.sessions[0]?.emit(refused);
    vendor.sessions[0]?.emit({ type: 'final', text: 'late', confidence: 1, audioMs: 1, at: 1 });
    offline.sessions[0]?.emit(lost);
    expect(call.events.map(({ type }) => type)).toEqual(['switched', 'failed']);
    call.session.close();
    offline.sessions[0]?.emit({ type: 'nothing', at: 2 });
    expect(call.events).toHaveLength(2);
  });

  it('begins with a recogniser that understands the language', () => {
    const [vendor, other, offline] = [
      recogniser('vendor', false),
      recogniser('other'),
      recogniser('offline'),
    ];
    const call = chained(vendor, other, offline);
    expect([vendor.sessions.length, other.sessions.length]).toEqual([0, 1]);
    expect(call.chain.understands('ta-IN')).toBe(true);
    call.health.broke('other', vendorFault('other', 'key', 'x'));
    call.health.broke('offline', vendorFault('offline', 'lost', 'x'));
    expect(call.chain.understands('ta-IN')).toBe(false);
  });

  it('returns from the offline recogniser to the only vendor before the next utterance, and keeps its words', () => {
    const [vendor, offline] = [recogniser('vendor'), recogniser('offline')];
    const call = chained(vendor, offline);
    call.write(20);
    call.starts();
    call.write(20);
    const rejected = vendorFault('vendor', 'rejected', '', { status: 500 });
    vendor.sessions[0]?.emit({ ...refused, fault: rejected });
    call.write(10);
    call.ends();
    offline.sessions[0]?.emit({ type: 'final', text: 'one', confidence: null, audioMs: 400, at: 0 });
    expect([vendor.sessions.length, offline.sessions[0]?.calls.at(-1)]).toEqual([2, 'close']);
    expect(call.events.map(({ type }) => type)).toEqual(['switched', 'final', 'switched']);
    call.write(5);
    call.starts();
    vendor.sessions[1]?.emit({ type: 'final', text: 'two', confidence: 1, audioMs: 400, at: 0 });
    expect(call.events.at(-1)).toMatchObject({ type: 'final', text: 'two' });
    expect(offline.sessions).toHaveLength(1);
  });

  it('does not let the vendor that it returns to hear words again that have a final', () => {
    const [vendor, offline] = [recogniser('vendor'), recogniser('offline')];
    const call = chained(vendor, offline);
    call.write(20);
    vendor.sessions[0]?.emit({ ...lost, retryable: false });
    call.starts();
    vendor.sessions[1]?.emit({ ...lost, retryable: false });
    call.write(30);
    call.ends();
    const session = offline.sessions.at(-1);
    call.pass(1_000);
    // This session began 300 ms before the speech: its 800 ms end with frame 45 of the call.
    session?.emit({ type: 'final', text: 'book it now', confidence: null, audioMs: 800, at: 0 });
    call.write(1);
    expect([session?.frames[0], vendor.sessions.at(-1)?.frames[0]]).toEqual([6, 46]);
  });

  it('hands over at once when the vendor that it returned to fails again', () => {
    const [vendor, offline] = [recogniser('vendor'), recogniser('offline')];
    const call = chained(vendor, offline);
    vendor.sessions[0]?.emit({ ...lost, retryable: false });
    call.starts();
    vendor.sessions[1]?.emit(lost);
    expect([vendor.sessions.length, offline.sessions.length]).toEqual([2, 2]);
  });

  it('stays with another vendor that took over', () => {
    const [first, second, offline] = [recogniser('vendor'), recogniser('second'), recogniser('offline')];
    const call = chained(first, second, offline);
    first.sessions[0]?.emit({ ...lost, retryable: false });
    call.starts();
    second.sessions[0]?.emit({ type: 'final', text: 'one', confidence: 1, audioMs: 100, at: 0 });
    expect([first.sessions.length, second.sessions.length]).toEqual([1, 1]);
  });
});
