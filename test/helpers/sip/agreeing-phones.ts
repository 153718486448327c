import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { spoken, writeTrack } from '../audio/line-audio.ts';
import { createAgent, place, transcriptOf, whenOver } from '../service/scenario.ts';
import type { Service } from '../service/service.ts';
import { BARESIP_PORTS, startBaresip, type Baresip, type BaresipOptions } from './baresip.ts';
import { freePort } from './peer-process.ts';
import { attachNumber, startPhoneService } from './phone-service.ts';

const THEIRS = '+14155550123';
/** Samples of 300 ms at 16 kHz, in ms at 8 kHz: the unit of `likeness`. */
export const WINDOW_MS = 600;

/** A service with an agent that asks one question, and baresip at the addresses of its trunks, which says yes to it. */
export interface AgreeingPhones<Trunk extends string> {
  readonly service: Service;
  /** A phone that says "yes please" 4.5 s after the answer. */
  phone(trunk: Trunk, options: Partial<BaresipOptions> & { rate: 8_000 | 16_000 | 48_000 }): Promise<Baresip>;
  /** Calls the phone of a trunk; the call once it is over. */
  called(trunk: Trunk): Promise<any>;
}

/** Starts them before the tests of a file. `trunks`: a number of the service and the settings of its trunk, by name. */
export function useAgreeingPhones<Trunk extends string>(
  name: string,
  trunks: Readonly<Record<Trunk, { readonly number: string; readonly settings: Record<string, unknown> }>>,
): AgreeingPhones<Trunk> {
  const named = Object.entries(trunks) as [Trunk, (typeof trunks)[Trunk]][];
  const ports = new Map<Trunk, number>();
  const phones: Baresip[] = [];
  let started: { service: Service; close: () => Promise<void> } | null = null;
  let directory = '';
  let agentId = '';
  const running = (): Service => {
    if (started === null) throw new Error('the service has not started');
    return started.service;
  };
  beforeAll(async () => {
    for (const [trunk] of named) ports.set(trunk, await freePort(BARESIP_PORTS));
    directory = await mkdtemp(join(tmpdir(), `${name}-`));
    started = await startPhoneService(
      named.map(([trunk, { settings }]) => ({
        name: trunk,
        uri: `sip:127.0.0.1:${ports.get(trunk)}`,
        transport: 'udp',
        ...settings,
      })),
      named.map(([trunk, { number }]) => ({ number, trunk })),
    );
    agentId = await createAgent(started.service, {
      intro_message: 'Hello, this is Maya. Can you make it on Tuesday?',
      task: '1. Ask "Can you make it on Tuesday?"\n2. Say "Please bring your insurance card."\n3. Thank them and say goodbye.',
      call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
    });
    for (const [, { number }] of named) await attachNumber(started.service, agentId, number);
  });
  afterEach(async () => {
    for (const phone of phones.splice(0)) await phone.stop();
  });
  afterAll(async () => {
    await started?.close();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    get service() {
      return running();
    },
    async phone(trunk, options) {
      const saysWav = join(directory, `yes-${options.rate}.wav`);
      const pcm = await spoken('yes please', options.rate);
      await writeTrack(saysWav, [{ atMs: 4500, pcm }], 60_000, options.rate);
      const port = ports.get(trunk) ?? 0;
      const phone = await startBaresip({ user: THEIRS, port, saysWav, ...options });
      phones.push(phone);
      return phone;
    },
    called: async (trunk) =>
      whenOver(
        running(),
        await place(running(), agentId, THEIRS, {
          from_number: trunks[trunk].number,
          call_config: { call_retry_config: { retry_count: 0 } },
        }),
      ),
  };
}

/** Expects that the agent heard the yes and ended the call. */
export function expectAgreed(call: any): void {
  expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  expect(transcriptOf(call).flatMap(({ user }) => user ?? [])[0]).toMatch(/^yes/);
}
