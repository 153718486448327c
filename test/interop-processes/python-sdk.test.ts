import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyFor, makeOwnerKey } from '../helpers/api/owner-key.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { examplesOf, ROOT } from '../helpers/service/doc-examples.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';
import { provisionWith } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhooks/webhook-receiver.ts';

/** The Python SDK in Debian's Python, whose httpx `scripts/setup.sh --test-peers` installs. */
const run = promisify(execFile);
const FOLDER = join(ROOT, 'sdk/python');
const LONGEST_MS = 300_000;

let database: TestDatabase;
let receiver: WebhookReceiver;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startWebhookReceiver();
  service = await startService({
    provision: provisionWith({}),
    env: { SAFE_FETCH_ALLOW: LOOPBACK_OPEN, DATABASE_URL: database.url },
  });
  await makeOwnerKey(database.url, service.key);
}, LONGEST_MS);
afterAll(async () => {
  await service?.dispose();
  await receiver?.close();
  await database?.close();
});

const python = async (args: readonly string[], env: Record<string, string> = {}): Promise<string> => {
  const { stdout, stderr } = await run('/usr/bin/python3', args, {
    cwd: FOLDER,
    timeout: LONGEST_MS,
    env: {
      PATH: process.env['PATH'] ?? '',
      PYTHONPATH: join(FOLDER, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      CALLWRIGHT_URL: service.url,
      CALLWRIGHT_API_KEY: service.key,
      ...env,
    },
  });
  return stdout + stderr;
};

describe('the Python SDK and the real program', () => {
  it(
    'run the examples of its README as written, one after the other',
    async () => {
      const examples = examplesOf('sdk/python/README.md').filter(({ language }) => language === 'python');
      const printed: string[] = [];
      for (const { text } of examples) printed.push(await python(['-c', text]));
      expect(printed).toEqual([
        expect.stringMatching(/^(?:(?:agent|caller) .+\n)+completed \w+\n$/),
        // The rows of the saved list; then the calls of the agent, at least that of the first example.
        expect.stringMatching(/^1\n(?:[\w-]{36} \w+\n)+$/),
        expect.stringMatching(/^\d{3} \w+ \[.*\] [\w-]+\n$/),
        '20 s\n',
      ]);
    },
    LONGEST_MS,
  );

  it(
    'verify a delivery with the secret that the client reads',
    async () => {
      const program = [
        'import json, os',
        'from callwright import Callwright, WebhookError, verify_webhook',
        'with Callwright() as client:',
        '    secret = client.get_signing_secret()["secret"]',
        'headers, raw = json.loads(os.environ["DELIVERY"])',
        'print(verify_webhook(secret, headers, raw)["event_type"])',
        'try:',
        '    verify_webhook(secret, headers, raw + " ")',
        'except WebhookError as error:',
        '    print(error)',
      ].join('\n');
      const sent = await service.request('POST', '/api/v0/webhooks/test', {
        event_type: 'call_completed',
        callback_url: receiver.url,
      });
      expect(sent.status).toBe(200);
      const delivery = await eventually('the test event', async () => receiver.received[0] ?? null);
      const printed = await python(['-c', program], {
        CALLWRIGHT_API_KEY: keyFor('GET', '/api/v0/webhooks/signing-secret', service.key),
        DELIVERY: JSON.stringify([delivery.headers, delivery.raw]),
      });
      expect(printed).toBe('call_completed\nno signature matches\n');
    },
    LONGEST_MS,
  );

  it(
    'pass the tests of the package',
    async () => {
      expect(await python(['-m', 'unittest', 'discover', '-s', 'tests'])).toMatch(
        /Ran \d\d tests[^]*\nOK\n$/,
      );
    },
    LONGEST_MS,
  );
});
