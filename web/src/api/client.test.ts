import { afterAll, beforeEach, expect, it, vi } from 'vitest';

/** What the page reads from its tab; the tests of this file have none. */
const noStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
vi.stubGlobal('sessionStorage', noStorage);
vi.stubGlobal('localStorage', noStorage);
// Other files of this process keep modules without the requests of this one.
vi.resetModules();
const { call, keepSession, setCsrfToken } = await import('./client.ts');

const CROSS_SITE = { message: 'This request does not come from the dashboard.', code: 'CROSS_SITE' };
const answer = (status: number, body: object): Response => new Response(JSON.stringify(body), { status });

/** CSRF tokens of the requests, in order. */
const tokens: string[] = [];
/** What happens in the page until the answer to the nth request is there. */
const meanwhile: (() => void)[] = [];
const renewed = vi.fn(async () => {
  setCsrfToken('renewed');
  return true;
});

beforeEach(() => {
  tokens.length = 0;
  meanwhile.length = 0;
  renewed.mockClear();
  setCsrfToken('old');
  keepSession({ ended: () => undefined, changed: () => undefined, renewed });
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    const token = headers['x-csrf-token'] ?? '';
    tokens.push(token);
    meanwhile.shift()?.();
    return token === 'old' ? answer(403, CROSS_SITE) : answer(200, {});
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const rotate = (): Promise<unknown> => call('rotateWebCallKey', { agent_id: 'a' });

it('a change that another tab made cross-site by its sign-in is sent again with the token of the renewed session', async () => {
  await rotate();
  expect(tokens).toEqual(['old', 'renewed']);
  expect(renewed).toHaveBeenCalledOnce();
});

it('a change is sent again with the new token that the page read after the change had left', async () => {
  meanwhile.push(() => setCsrfToken('new'));
  // The session is already read: it has no newer token.
  renewed.mockImplementationOnce(async () => false);
  await rotate();
  expect(tokens).toEqual(['old', 'new']);
  expect(renewed).not.toHaveBeenCalled();
});
