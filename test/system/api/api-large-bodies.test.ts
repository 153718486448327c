import { afterAll, beforeAll, expect, it } from 'vitest';
import { readShapes } from '../../helpers/api/api-surface.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { createHoldings, type Holdings } from '../../helpers/api/owned-objects.ts';
import { wholeRequest } from '../../helpers/api/full-request.ts';
import { IS_NIGHTLY } from '../../helpers/service/nightly.ts';

let api: TestApi;
let tenant: Tenant;
let own: Holdings;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  own = await createHoldings(api, tenant);
});
afterAll(() => api.close());

const ZEROES = Array.from({ length: 450_000 }, () => 0);
const UNKNOWN = Object.fromEntries(Array.from({ length: 45_000 }, (_, i) => [`unknown${i}`, 0]));

/**
 * The most processor time that this thread spends between two turns of the event loop while `work` runs, in ms: so long
 * every other request waits. Other threads and programs do not count.
 */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const before = process.threadCpuUsage();
      await new Promise((resolve) => setTimeout(resolve, 1));
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
    }
  };
  const watching = watch();
  try {
    await work();
  } finally {
    over.abort();
    await watching;
  }
  return longest;
}

it('rejects 1 MB of wrong values without holding up other requests', { timeout: 240_000 }, async () => {
  const shapes = (await readShapes()).filter(({ body, isForm }) => body !== null && !isForm);
  expect(shapes.length).toBeGreaterThan(20);
  const seen = new Set<string>();
  const attacks = shapes.flatMap((shape, index) => {
    const arrays = Object.entries(shape.body?.properties ?? {}).filter(([, schema]) =>
      JSON.stringify(schema).includes('"array"'),
    );
    // At night every array, else every fourth.
    const fresh = arrays.filter(
      ([name]) => !seen.has(name) && seen.add(name) && (IS_NIGHTLY || seen.size % 4 === 1),
    );
    // The same validator refuses a whole body of zeroes or of unknown fields for every endpoint.
    const whole = index < 4 ? [ZEROES, UNKNOWN] : [];
    return [...whole, ...fresh.map(([name]) => ({ [name]: ZEROES }))].map((body) => ({ shape, body }));
  });
  const slow: string[] = [];
  for (const { shape, body } of attacks) {
    const request = wholeRequest(shape, own);
    const longest = await longestTurn(async () => {
      const answer = await api.request(request.method, request.url, { key: tenant.key, body });
      expect(answer.status).toBeLessThan(500);
      expect(((answer.body['errors'] ?? []) as unknown[]).length).toBeLessThanOrEqual(100);
    });
    // Parsing the JSON alone takes about 50 ms; with every error collected, this was over 4,000 ms.
    if (longest > 1_000) slow.push(`${shape.key} ${Math.round(longest)} ms`);
  }
  expect(slow).toEqual([]);
});

it('names the first wrong field of a large body, and every one of a small body', async () => {
  const errorsOf = async (numbers: unknown[]) => {
    const body = { mobile_numbers: numbers };
    const answer = await api.request('POST', '/api/v0/calling/erase', { key: tenant.key, body });
    return (answer.body['errors'] as { field: string; message: string }[]).map(({ field }) => field);
  };
  expect(await errorsOf([1, 2])).toEqual(['mobile_numbers[0]', 'mobile_numbers[1]']);
  expect(await errorsOf(Array.from({ length: 3000 }, () => 1))).toHaveLength(1);
});
