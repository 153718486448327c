import { afterAll, afterEach, beforeAll } from 'vitest';
import { place } from '../service/scenario.ts';
import type { Service } from '../service/service.ts';
import { freePort, until } from './peer-process.ts';
import { startPhoneService } from './phone-service.ts';
import { startSipp, type Sipp } from './sipp.ts';

/** The number of the service on the trunk, and the one that it calls. */
export const OURS = '+14155550100';
export const THEIRS = '+14155550123';

/** A service with one trunk, at whose address SIPp answers our calls or calls us. */
export interface SippTrunk {
  readonly service: Service;
  readonly port: number;
  /** Runs SIPp at the trunk's address until the end of the test. */
  carrier(scenario: string, args?: readonly string[]): Promise<Sipp>;
  /** Runs SIPp as a caller of one call. */
  callsIn(scenario: string, number?: string): Promise<Sipp>;
  /** Places a call of the agent to `THEIRS`. */
  dial(agentId: string, more?: Record<string, unknown>): Promise<string>;
}

/** Starts it before the tests of a file, and ends it after them. `trunk`: its further settings; `args`: of every SIPp. */
export function useSippTrunk(
  options: {
    readonly trunk?: Record<string, unknown>;
    readonly numbers?: readonly string[];
    readonly env?: Record<string, string>;
    readonly args?: readonly string[];
  } = {},
): SippTrunk {
  const { trunk = {}, numbers = [OURS], env = {}, args: always = [] } = options;
  let started: { service: Service; close: () => Promise<void> } | null = null;
  let port = 0;
  let peer: Sipp | null = null;
  beforeAll(async () => {
    port = await freePort();
    started = await startPhoneService(
      [{ name: 'carrier', uri: `sip:127.0.0.1:${port}`, transport: 'udp', ...trunk }],
      numbers.map((number) => ({ number, trunk: 'carrier' })),
      env,
    );
  });
  afterAll(() => started?.close());
  afterEach(async () => {
    await peer?.stop();
    peer = null;
  });
  const running = (): Service => {
    if (started === null) throw new Error('the service has not started');
    return started.service;
  };
  const carrier = async (scenario: string, args: readonly string[] = []): Promise<Sipp> => {
    peer = await startSipp({ scenario, port, trace: true, args: [...always, ...args] });
    return peer;
  };
  return {
    get service() {
      return running();
    },
    get port() {
      return port;
    },
    carrier,
    callsIn: (scenario, number = OURS) =>
      carrier(scenario, ['-m', '1', '-s', number, `127.0.0.1:${running().sipPort}`]),
    dial: (agentId, more = { call_config: { call_retry_config: { retry_count: 0 } } }) =>
      place(running(), agentId, THEIRS, more),
  };
}

/** How many requests of a method SIPp has received; a repetition has the branch of the first. */
export function countOf(sipp: Sipp, method: string): number {
  const received = new RegExp(
    `message received \\[\\d+\\] bytes\\s*:\\s*\\n\\s*${method} [^\\n]*\\n(?:[^\\n]+\\n)*?Via:[^\\n]*branch=([^;\\s]+)`,
    'gi',
  );
  return new Set([...sipp.messages().matchAll(received)].map(([, branch]) => branch)).size;
}

export const receives = (sipp: Sipp, method: string): Promise<void> =>
  until(() => countOf(sipp, method) > 0, `SIPp receives ${method}: ${sipp.received().join(' | ')}`);
