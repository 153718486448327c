import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needsKey, VENDOR_NAMES, VENDORS_OF } from '../../src/vendors/catalogue.ts';
import { settingPrefix } from '../../src/vendors/vendor.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { startEchoVendor, type EchoVendor } from '../helpers/api/echo-vendor.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

/** Long enough that the mask shows its ends only. */
const keyOf = (owner: string, vendor: string): string => `${owner}-canary-${vendor}-0123456789abcdef-secret`;
const VENDORS = VENDOR_NAMES.filter((name) => needsKey(name) || name === 'openai-compatible');
const OWN_MODEL_KEY = keyOf('agent', 'own-model');
const KEYS = [...VENDORS.flatMap((name) => [keyOf('env', name), keyOf('ws', name)]), OWN_MODEL_KEY];
/** Names nothing that a mask may show: it is inside of every key. */
const CANARY = 'canary-';

let echo: EchoVendor;
let database: TestDatabase;
let service: Service;
beforeAll(async () => {
  echo = await startEchoVendor();
  database = await createTestDatabase();
  const accounts = VENDORS.flatMap((name) => [
    [`${settingPrefix(name)}_API_KEY`, keyOf('env', name)],
    [`${settingPrefix(name)}_BASE_URL`, echo.baseUrl],
  ]);
  service = await startService({
    provision: provisionWith({}),
    env: {
      ...Object.fromEntries(accounts),
      OPENAI_COMPATIBLE_LLM_MODEL: 'm',
      STT_PROVIDER: VENDORS_OF.stt.filter((name) => VENDORS.includes(name)).join(','),
      LLM_PROVIDER: VENDORS_OF.llm.join(','),
      TTS_PROVIDER: VENDORS_OF.tts.join(','),
      DATABASE_URL: database.url,
      SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
      LOG_LEVEL: 'trace',
    },
  });
}, 180_000);
afterAll(async () => {
  await service?.dispose();
  await database?.close();
  await echo?.close();
});

async function ask(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await service.request(method, `/api/v0${path}`, body);
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Every value of every column of every table, as text. */
async function dump(): Promise<string> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
    );
    const parts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      parts.push(...rows.map(({ row }) => row));
    }
    return parts.join('\n');
  } finally {
    await client.end();
  }
}

describe('the keys of vendors', () => {
  it('reach the vendors, and neither logs, database, answers of the API nor call records', async () => {
    const answers: unknown[] = [];
    const start = async (agentId: string, count: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let i = 0; i < count; i++) ids.push(await place(service, agentId, `+1415555012${i}`));
      return ids;
    };
    const over = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) {
        answers.push(await whenOver(service, id));
        answers.push(await ask('GET', `/calling/call-details?id=${id}&send_analysis=true`));
      }
    };
    const config = { call_config: { max_call_length: 20, idle_timeout_warning: 4, idle_timeout_end: 8 } };
    const agentId = await createAgent(service, config);
    // 1. The keys of the environment.
    await over(await start(agentId, 2));
    // 2. Those of the workspace.
    answers.push(
      await ask('PUT', '/workspace/providers', {
        stt: VENDORS_OF.stt.filter((name) => VENDORS.includes(name)),
        llm: [...VENDORS_OF.llm],
        tts: [...VENDORS_OF.tts],
        vendors: Object.fromEntries(
          VENDORS.map((name) => [
            name,
            {
              api_key: keyOf('ws', name),
              base_url: echo.baseUrl,
              ...(name === 'openai-compatible' ? { llm_model: 'm' } : {}),
            },
          ]),
        ),
      }),
    );
    await over(await start(agentId, 2));
    // 3. The agent's own order, and then its own model.
    const ids: string[] = [];
    for (const [nth, name] of VENDORS_OF.stt.entries()) {
      if (!VENDORS.includes(name)) continue;
      const edited = await createAgent(service, config);
      const llm = VENDORS_OF.llm[nth];
      answers.push(
        await ask('PATCH', '/agent/v1', {
          operation: 'edit_stt',
          agent_id: edited,
          stt: { providers: [name, 'offline'] },
        }),
        await ask('PATCH', '/agent/v1', {
          operation: 'edit_llm',
          agent_id: edited,
          llm:
            llm === undefined
              ? { provider: 'openai_compatible', base_url: echo.baseUrl, model: 'm', api_key: OWN_MODEL_KEY }
              : { provider: 'default', providers: [llm] },
        }),
        await ask('GET', `/agent/${edited}`),
      );
      ids.push(...(await start(edited, 1)));
    }
    await over(ids);
    const received = echo.received();
    // The chains and the agents' orders try every recogniser with both kinds of keys at least once.
    const ofWorkspace = [...VENDORS_OF.stt, ...VENDORS_OF.tts]
      .filter((name) => VENDORS.includes(name))
      .map((name) => keyOf('ws', name));
    expect(ofWorkspace.filter((key) => !received.includes(key))).toEqual([]);
    expect(received).toContain(keyOf('env', 'deepgram'));
    expect(received).toContain(keyOf('env', 'elevenlabs'));
    expect(received).toContain(OWN_MODEL_KEY);

    // Tests by hand quote what the vendor answered.
    for (const [kind, vendor] of [
      ['stt', 'deepgram'],
      ['tts', 'elevenlabs'],
      ['llm', 'anthropic'],
    ] as const) {
      answers.push(await ask('POST', '/workspace/providers/test', { kind, vendor }));
    }
    answers.push(
      // With the faults of the calls above.
      await ask('GET', '/workspace/providers'),
      // The lists of voices are read with the keys, and the vendor refuses with answers that quote them.
      await ask('GET', '/agent/voices'),
      await ask('GET', '/agent/all'),
      await ask('GET', '/calling/history?limit=100'),
      await ask('GET', '/workspace/audit-log?limit=100').catch(() => null),
      await ask('GET', '/analytics/vendor-analytics'),
      await (await fetch(`${service.url}/readyz`)).text(),
      await (await fetch(`${service.url}/metrics`)).text(),
    );
    const all = { logs: service.output(), database: await dump(), answers: JSON.stringify(answers) };
    for (const [where, text] of Object.entries(all)) {
      expect([where, text.length > 1000]).toEqual([where, true]);
      const found = KEYS.filter((key) => text.includes(key));
      expect([where, found]).toEqual([where, []]);
      const at = text.indexOf(CANARY);
      expect([where, at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 60)]).toEqual([where, '']);
    }
  }, 180_000);
});
