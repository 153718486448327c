import { readFileSync, readdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { createAgent, place, whenCall } from '../../test/helpers/service/scenario.ts';
import { attachNumber } from '../../test/helpers/sip/phone-service.ts';
import { freeTcpPort, startService, type Service } from '../../test/helpers/service/service.ts';
import type { Target } from './attack.ts';
import { LoopSteps } from './loop-steps.ts';
import { processesBelow } from './secrets.ts';
import { LOOPBACK_OPEN } from '../../test/helpers/service/open-addresses.ts';

/** The carrier's address and SIP port; everything else on loopback is a stranger. */
export const CARRIER = '127.0.0.9';

const NUMBERS = {
  hostileInbound: '+14155550100',
  hostileTest: '+14155550101',
  innocentCarrier: '+14155550200',
  innocentWithoutAgent: '+14155550201',
  innocentTest: '+14155550202',
} as const;

export interface World {
  readonly service: Service;
  readonly target: Target;
  /** What the innocent process needs. */
  readonly innocent: InnocentSettings;
  /** Port of the metrics, which no attacker reaches. */
  readonly metricsPort: number;
  /** Steps of the call workers. */
  readonly steps: LoopSteps;
}

export interface InnocentSettings {
  readonly url: string;
  readonly key: string;
  readonly sipPort: number;
  readonly agentId: string;
  readonly carrierAddress: string;
  readonly carrierPort: number;
  readonly from: string;
  readonly testNumber: string;
  /** A number on the carrier without an agent: its INVITE is refused with 480. */
  readonly refusing: string;
}

/** The real program with its own database, a carrier, a hostile workspace and an innocent one. */
export async function startWorld(carrierPort: number, floodShare: number): Promise<World> {
  const [key, otherKey] = [0, 1].map(() => `cw_live_${randomBytes(16).toString('hex')}`) as [string, string];
  const account = { username: 'trunk-account', password: randomBytes(12).toString('hex') };
  const secretKey = randomBytes(24).toString('hex');
  const workspace = (name: string, apiKey: string, numbers: readonly (readonly [string, string])[]) => ({
    name,
    api_key: apiKey,
    credits: 1_000_000,
    call_limit: 200,
    limits: { allowed_destinations: ['+1'] },
    numbers: numbers.map(([number, trunk]) => ({ number, trunk })),
  });
  const metricsPort = await freeTcpPort();
  const steps = new LoopSteps();
  const service = await startService({
    ownDatabase: true,
    key,
    provision: {
      trunks: [{ name: 'carrier', uri: `sip:${CARRIER}:${carrierPort}`, transport: 'udp', ...account }],
      workspaces: [
        workspace('Hostile', key, [
          [NUMBERS.hostileInbound, 'carrier'],
          [NUMBERS.hostileTest, 'test'],
        ]),
        workspace('Innocent', otherKey, [
          [NUMBERS.innocentCarrier, 'carrier'],
          [NUMBERS.innocentWithoutAgent, 'carrier'],
          [NUMBERS.innocentTest, 'test'],
        ]),
      ],
    },
    env: {
      SECRET_KEY: secretKey,
      SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
      KNOWLEDGE_MAX_MB: '40',
      LOG_LEVEL: 'warn',
      METRICS_PORT: String(metricsPort),
      ...steps.env,
    },
  });
  const asOther = { ...service, key: otherKey, request: requestWith(service.url, otherKey) };
  const config = { max_call_length: 3_600, idle_timeout_warning: 0, idle_timeout_end: 600 };
  const agentId = await createAgent(service, {
    call_config: { ...config, mute_during_intro: false },
    intro_message: 'Hello {{callee_name}}.',
  });
  await attachNumber(service, agentId, NUMBERS.hostileInbound);
  // The callee of a number that ends in 0007 hangs up after a few words.
  const recorded = await place(service, agentId, '+14155550007', { from_number: NUMBERS.hostileTest });
  const { recording_url } = await whenCall(
    service,
    recorded,
    'recorded',
    (call) => call.recording_url !== null,
  );
  const innocentAgent = await createAgent(asOther, { call_config: config });
  return {
    service,
    metricsPort,
    steps,
    target: {
      url: service.url,
      sipPort: service.sipPort,
      pid: service.child.pid ?? 0,
      key,
      otherKey,
      otherAgentId: innocentAgent,
      agentId,
      inbound: NUMBERS.hostileInbound,
      testNumber: NUMBERS.hostileTest,
      carrier: CARRIER,
      account,
      floodShare,
      recorded: { id: recorded, url: recording_url },
      secrets: [secretKey, account.password],
    },
    innocent: {
      url: service.url,
      key: otherKey,
      sipPort: service.sipPort,
      agentId: innocentAgent,
      carrierAddress: CARRIER,
      carrierPort,
      from: NUMBERS.innocentCarrier,
      testNumber: NUMBERS.innocentTest,
      refusing: NUMBERS.innocentWithoutAgent,
    },
  };
}

const requestWith =
  (url: string, key: string): Service['request'] =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

export interface Resources {
  readonly rssMb: number;
  readonly descriptors: number;
  readonly children: number;
}

/** Memory, open descriptors and child processes of the service. */
export function resourcesOf(pid: number): Resources {
  const kb = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  const descriptors = readdirSync(`/proc/${pid}/fd`).length;
  return { rssMb: Math.round(kb / 1024), descriptors, children: processesBelow(pid).length };
}

/** One gauge of the service; NaN: not there. */
export async function gaugeOf(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}
