import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/shared/log.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { EmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { mount, unmount } from '../../test/helpers/recordings/small-file-system.ts';
import { startFakedClock, type FakedClock } from '../../test/helpers/service/faked-clock.ts';
import { createAgent, subscribe } from '../../test/helpers/service/scenario.ts';
import { attachNumber } from '../../test/helpers/sip/phone-service.ts';
import { startTcpProxy, type TcpProxy } from '../../test/helpers/sip/tcp-proxy.ts';
import { startService, type Service } from '../../test/helpers/service/service.ts';
import { startModel, type Model } from '../attacks/servers.ts';
import { CARRIER, type InnocentSettings } from '../attacks/service.ts';
import { Carrier } from './carrier.ts';
import { startReceiver, type FaultyReceiver } from './servers.ts';
import { LOOPBACK_OPEN } from '../../test/helpers/service/open-addresses.ts';

export const CREDITS = 1_000_000;
const DISK = '800m';
const TENANTS = ['Innocent', 'Model', 'Receiver'] as const;

/** A tenant of the fault day: its workspace has calls, chats and one campaign under way. */
export interface Tenant {
  readonly name: (typeof TENANTS)[number];
  readonly key: string;
  readonly agentId: string;
  /** Key of its pages. */
  readonly publicKey: string;
  /** Its number on the carrier of the campaigns, and on the built-in one. */
  readonly number: string;
  readonly testNumber: string;
  readonly receiver: FaultyReceiver;
  /** Requests with its key. */
  readonly client: Pick<Service, 'request' | 'url' | 'key'>;
}

export interface World {
  readonly service: Service;
  readonly database: Database;
  readonly proxy: TcpProxy;
  readonly clock: FakedClock;
  readonly carrier: Carrier;
  readonly model: Model;
  /** The data folder, a small file system. */
  readonly folder: string;
  readonly tenants: readonly Tenant[];
  readonly innocent: InnocentSettings;
  close(): Promise<void>;
}

/** The released program. A proxy stands between it and its database, its data folder is a small tmpfs, and libfaketime moves its clock. */
export async function startWorld(): Promise<World> {
  const home = await mkdtemp(join(tmpdir(), 'callwright-fault-day-'));
  const folder = join(home, 'data');
  await mkdir(folder);
  if (!mount(folder, DISK)) throw new Error('the fault day mounts a small disk: run it as root');
  const postgres = new EmbeddedPostgres({ dataDir: home, log: silentLog });
  const url = await postgres.start();
  const database = openDatabase(url, { maxConnections: 4, applicationName: 'fault day' });
  const { hostname, port } = new URL(url);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  const clock = await startFakedClock(new Date().toISOString());
  const [carrier, model] = await Promise.all([Carrier.start(), startModel()]);
  const carrierPort = 5_900 + Math.floor(Math.random() * 100);
  const keys = TENANTS.map(() => `cw_live_${randomBytes(16).toString('hex')}`);
  const proxied = new URL(url);
  proxied.hostname = '127.0.0.1';
  proxied.port = String(proxy.port);
  const service = await startService({
    dataDir: folder,
    key: keys[0] ?? '',
    provision: {
      trunks: [
        { name: 'peer', uri: `sip:127.0.0.1:${carrier.port}`, transport: 'udp' },
        { name: 'carrier', uri: `sip:${CARRIER}:${carrierPort}`, transport: 'udp' },
      ],
      workspaces: TENANTS.map((name, index) => ({
        name,
        api_key: keys[index],
        credits: CREDITS,
        call_limit: name === 'Innocent' ? 60 : 10,
        limits: { allowed_destinations: ['+1'] },
        numbers: [
          { number: numberOf(index, 0), trunk: 'peer' },
          { number: numberOf(index, 1), trunk: 'test' },
          { number: numberOf(index, 2), trunk: 'carrier' },
          { number: numberOf(index, 3), trunk: 'carrier' },
        ],
      })),
    },
    env: {
      DATABASE_URL: proxied.href,
      SECRET_KEY: randomBytes(24).toString('hex'),
      SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
      LOG_LEVEL: 'warn',
      CALL_WORKERS: '3',
      RATE_LIMIT_WEBCALL_ADDRESS: '0',
      ...clockEnvironment(clock),
      FAULT_DAY: 'on',
      NODE_OPTIONS: `--import ${new URL('./stuck-worker.ts', import.meta.url).href}`,
    },
  });
  const tenants: Tenant[] = [];
  for (const [index, name] of TENANTS.entries()) {
    tenants.push(await createTenant(service, { index, name, key: keys[index] ?? '', model }));
  }
  const innocent = tenants[0]!;
  return {
    service,
    database,
    proxy,
    clock,
    carrier,
    model,
    folder,
    tenants,
    innocent: {
      url: service.url,
      key: innocent.key,
      sipPort: service.sipPort,
      agentId: await createAgent(innocent.client, { call_config: HELD }),
      carrierAddress: CARRIER,
      carrierPort,
      from: numberOf(0, 2),
      testNumber: innocent.testNumber,
      refusing: numberOf(0, 3),
    },
    async close() {
      proxy.resume();
      await carrier.stop();
      await service.dispose();
      await Promise.all([database.close(), proxy.close()]);
      await postgres.stop();
      for (const { receiver } of tenants) receiver.close();
      model.close();
      await clock.dispose();
      if (unmount(folder)) await rm(home, { recursive: true, force: true });
    },
  };
}

/** Calls that last the whole run. */
const HELD = {
  max_call_length: 3_600,
  idle_timeout_warning: 0,
  idle_timeout_end: 600,
  recording: { enabled: false },
};

const numberOf = (tenant: number, nth: number): string => `+1415555${2 + tenant}${nth}00`;

/** The service follows its database's clock, as installations do; the host's is read once a second. */
function clockEnvironment(clock: FakedClock): Record<string, string> {
  const { CLOCK: _host, FAKETIME_NO_CACHE: _uncached, ...env } = clock.env;
  return { ...env, FAKETIME_CACHE_DURATION: '1' };
}

async function createTenant(
  service: Service,
  parts: { index: number; name: Tenant['name']; key: string; model: Model },
): Promise<Tenant> {
  const { index, name, key, model } = parts;
  const client = { url: service.url, key, request: service.as(key).request };
  const receiver = await startReceiver();
  const agentId = await createAgent(client);
  await subscribe(client, agentId, receiver.url);
  if (name === 'Model') {
    const llm = { provider: 'openai_compatible', model: 'm', base_url: model.url };
    const edit = { operation: 'edit_llm', agent_id: agentId, llm };
    const { status, body } = await client.request('PATCH', '/api/v0/agent/v1', edit);
    if (status !== 200) throw new Error(`the model was not set: ${JSON.stringify(body)}`);
  }
  await attachNumber(client, agentId, numberOf(index, 0));
  const { body } = await client.request('GET', `/api/v0/agent/${agentId}`);
  return {
    name,
    key,
    agentId,
    publicKey: String(body.agents.webcall_public_key),
    number: numberOf(index, 0),
    testNumber: numberOf(index, 1),
    receiver,
    client,
  };
}
