import { describe, expect, it } from 'vitest';
import { createFakeLlm, type FakeLlmOptions } from '../../offline/scripted/llm.ts';
import { ManualScheduler } from '../../../packages/sip/test/manual-scheduler.ts';
import { vendorFault } from '../wire/fault.ts';
import { VendorHealth } from '../wire/health.ts';
import type { FaultKind, VendorFault } from '../../shared/vendor-fault.ts';
import type { BrainContext, LlmEvent, LlmProvider } from '../ports/model.ts';
import type { HistoryItem } from '@callwright/turns';
import { ChainedModel } from './chained.ts';

const context = {
  language: 'en-US',
  introMessage: '',
  tools: [],
} as unknown as BrainContext;
const history: HistoryItem[] = [{ role: 'caller', text: 'Hello.', by: 'speech' }];

interface Member {
  readonly provider: (time: ManualScheduler) => LlmProvider;
  readonly asked: unknown[];
}

/** A model with a scripted reply, or one that fails so. */
function member(name: string, how: FakeLlmOptions | FaultKind): Member {
  const asked: unknown[] = [];
  return {
    asked,
    provider(time) {
      if (typeof how !== 'string') {
        const onRequest = ({ memory }: { memory: unknown }): void => void asked.push(memory);
        return { ...createFakeLlm({ ...how, scheduler: time, onRequest }), name };
      }
      const fault = vendorFault(name, how, '');
      return {
        name,
        open: () => ({
          reply(_, onEvent) {
            asked.push(null);
            onEvent({ type: 'failed', message: fault.message, retryable: fault.retryable, fault });
          },
          close: () => undefined,
        }),
        close: () => Promise.resolve(),
      };
    },
  };
}

function chained(...members: Member[]) {
  const time = new ManualScheduler(0);
  let clock = 0;
  const faults: VendorFault[] = [];
  const health = new VendorHealth(
    () => clock,
    (fault) => faults.push(fault),
  );
  const chain = new ChainedModel(
    members.map(({ provider }) => provider(time)),
    { health, scheduler: { now: () => clock, after: (ms, work) => time.after(ms, work) } },
  );
  const open = (how: Partial<BrainContext> = { onModelFailure: 'script' }) => {
    const session = chain.open({ ...context, ...how });
    const events: LlmEvent[] = [];
    const abort = new AbortController();
    let memory: unknown = null;
    return {
      events,
      abort,
      reply(): void {
        session.reply({ history, memory, signal: abort.signal }, (event) => {
          events.push(event);
          if (event.type === 'done') memory = event.memory;
        });
      },
      text: () => events.map((event) => (event.type === 'delta' ? event.text : '')).join(''),
      types: () => events.map(({ type }) => type),
    };
  };
  const pass = (ms: number): void => {
    for (let i = 0; i < ms; i += 10) {
      clock += 10;
      time.advance(10);
    }
  };
  return { ...open(), open, pass, faults, health };
}

const slow = { llmMs: 60_000, replies: ['Late.'] };
const offline = member('offline', { replies: ['Offline one.', 'Offline two.'] });

describe('a chain of language models', () => {
  it.each(['key', 'credit', 'limit', 'timeout'] as const)(
    'hands a reply over within it when the first model fails with %s, and passes that one over for 30 s',
    (kind) => {
      const [first, second] = [member('first', kind), member('second', { replies: ['From the second.'] })];
      const call = chained(first, second, offline);
      call.reply();
      call.pass(10);
      expect(call.text()).toBe('From the second.');
      expect(call.events[0]).toMatchObject({
        type: 'switched',
        message: expect.stringMatching(/^first: .*; second replies instead$/),
        fault: { vendor: 'first', kind },
      });
      expect(call.faults).toMatchObject([{ vendor: 'first', kind }]);
      // Another call does not try it, and says why.
      const next = call.open();
      next.reply();
      call.pass(10);
      expect(next.types()).toEqual(['switched', 'delta', 'delta', 'delta', 'done']);
      expect(first.asked).toHaveLength(1);
      call.pass(30_000);
      next.reply();
      expect(first.asked).toHaveLength(2);
    },
  );

  it('hands over when the first word is late, and drops what the slow model says after all', () => {
    const call = chained(
      member('first', { ...slow, llmMs: 2_500 }),
      member('second', { replies: ['Hi.'] }),
      offline,
    );
    call.reply();
    call.pass(1_790);
    expect(call.events).toEqual([]);
    call.pass(3_000);
    expect(call.text()).toBe('Hi.');
    expect(call.events[0]).toMatchObject({ type: 'switched', fault: { kind: 'timeout' } });
  });

  it('gives the only model more time, and then lets the offline brain reply', () => {
    const inTime = chained(member('first', { ...slow, llmMs: 3_000 }), offline);
    inTime.reply();
    inTime.pass(3_100);
    expect(inTime.text()).toBe('Late.');
    const late = chained(member('first', slow), offline);
    late.reply();
    late.pass(3_300);
    expect(late.text()).toBe('Offline one.');
  });

  it('spends the time of one reply on all models together', () => {
    const call = chained(member('a', slow), member('b', slow), member('c', slow), offline);
    call.reply();
    call.pass(3_300);
    expect(call.text()).toBe('Offline one.');
    expect(call.faults.map(({ vendor }) => vendor)).toEqual(['a', 'b']);
  });

  it('asks a model again at once when its connection is lost and no other model is left', () => {
    const lost = member('first', 'lost');
    const call = chained(lost, offline);
    call.reply();
    call.pass(10);
    expect(lost.asked).toHaveLength(2);
    expect(call.text()).toBe('Offline one.');
    expect(call.faults).toHaveLength(1);
  });

  it('does not pass a model over for a request that it refuses', () => {
    const picky = member('first', 'rejected');
    const call = chained(picky, offline);
    call.reply();
    call.reply();
    call.pass(10);
    expect(picky.asked).toHaveLength(2);
    expect(call.faults).toHaveLength(2);
  });

  it('leaves a reply that broke off in the middle to the conversation, which may ask again', () => {
    const call = chained(
      {
        asked: [],
        provider: () => ({
          name: 'first',
          open: () => ({
            reply(_, onEvent) {
              onEvent({ type: 'delta', text: 'Half a ' });
              const fault = vendorFault('first', 'lost', '');
              onEvent({ type: 'failed', message: fault.message, retryable: true, fault });
            },
            close: () => undefined,
          }),
          close: () => Promise.resolve(),
        }),
      },
      offline,
    );
    call.reply();
    expect(call.types()).toEqual(['delta', 'failed']);
    expect(call.events[1]).toMatchObject({ retryable: true });
    expect(call.faults).toHaveLength(1);
  });

  it('keeps the memory of the model that replied, and gives it to no other one', () => {
    const brain = member('offline', { replies: ['One.', 'Two.'] });
    const call = chained(member('first', 'key'), brain);
    call.reply();
    call.pass(10);
    call.reply();
    call.pass(10);
    expect(brain.asked).toEqual([null, { replies: 1 }]);
    expect(call.text()).toBe('One.Two.');
    // After the pause the first model begins without it.
    expect(call.types().filter((type) => type === 'switched')).toHaveLength(1);
  });

  it('emits nothing after an abort', () => {
    const call = chained(member('first', slow), member('second', { replies: ['Hi.'] }), offline);
    call.reply();
    call.pass(1_000);
    call.abort.abort();
    call.pass(5_000);
    expect(call.events).toEqual([]);
    expect(call.faults).toEqual([]);
  });

  it('answers at least nine of ten turns of 20 calls by the only model, which answers 500 to every tenth request', () => {
    let requests = 0;
    const only: Member = {
      asked: [],
      provider: () => ({
        name: 'only',
        open: () => ({
          reply(_, onEvent) {
            requests += 1;
            if (requests % 10 === 0) {
              const fault = vendorFault('only', 'lost', '', { status: 500 });
              return onEvent({ type: 'failed', message: fault.message, retryable: true, fault });
            }
            onEvent({ type: 'delta', text: 'From the model.' });
            onEvent({ type: 'done', memory: null, expected: null });
          },
          close: () => undefined,
        }),
        close: () => Promise.resolve(),
      }),
    };
    const call = chained(only, offline);
    const calls = Array.from({ length: 20 }, () => call.open());
    for (let turn = 0; turn < 10; turn++) {
      for (const each of calls) each.reply();
      call.pass(2_000);
    }
    const done = calls.flatMap(({ events }) => events.filter(({ type }) => type === 'done'));
    const byModel = done.filter((event) => event.type === 'done' && event.by?.vendor === 'only');
    expect(byModel.length).toBeGreaterThanOrEqual(180);
    expect(requests).toBeGreaterThan(200);
  });

  it('asks the only model again at the next turn after a turn that failed', () => {
    const model = member('only', 'limit');
    const call = chained(model, offline);
    call.reply();
    call.pass(10);
    call.reply();
    expect(model.asked).toHaveLength(2);
  });

  it.each(['key', 'limit'] as const)(
    'lets one request at a time ask a model that failed with %s again',
    (kind) => {
      const hanging = member('only', slow);
      const call = chained(hanging, offline);
      const fault = vendorFault('only', kind, '');
      call.health.broke('only', fault);
      call.health.broke('only', fault);
      call.pass(2_000);
      for (const each of Array.from({ length: 20 }, () => call.open())) each.reply();
      expect(hanging.asked).toHaveLength(kind === 'key' ? 0 : 1);
    },
  );

  it('fails the reply of an agent that apologises, names the fault, and asks the model at the next turn', () => {
    const model = member('only', 'lost');
    const call = chained(model, offline);
    const apologising = call.open({});
    apologising.reply();
    expect(apologising.events).toMatchObject([
      { type: 'failed', retryable: false, fault: { vendor: 'only' } },
    ]);
    apologising.reply();
    expect(model.asked).toHaveLength(4);
    expect(apologising.types()).toEqual(['failed', 'failed']);
  });
});
