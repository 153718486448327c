import { afterEach, describe, expect, it } from 'vitest';
import { McpServers } from '../../../src/domain/tools/mcp-servers.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { openMcp } from '../../../src/providers/mcp.ts';
import { newId } from '../../../src/shared/ids.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { startMcpServer, type McpPeer } from '../../helpers/agents/mcp-server.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanUp.splice(0).toReversed()) await close();
});

async function peer(options: Parameters<typeof startMcpServer>[0] = {}): Promise<McpPeer> {
  const server = await startMcpServer(options);
  cleanUp.push(() => server.close());
  return server;
}
const seal = createSeal('a key for tests, of no use elsewhere');

/** The MCP servers of a call, connected through the real fetcher. */
async function open(
  servers: readonly { url: string; name?: string; allowedTools?: string[]; timeoutSeconds?: number }[],
  allow: readonly string[] = ['tools=127.0.0.1'],
): Promise<McpServers> {
  const fetcher = new SafeFetcher({ allow, purpose: 'tools' });
  cleanUp.push(() => fetcher.close());
  const opened = await McpServers.open(
    { seal, openMcp: ({ workspaceId, ...server }) => openMcp(fetcher.of(workspaceId).stream, server) },
    newId(),
    servers.map((server) => ({
      type: 'MCP_SERVER' as const,
      name: 'crm',
      headers: { authorization: { sealed: seal.seal('Bearer mcp-1'), shown: 'Bear***' } },
      ...server,
    })),
    ['crm_fail'],
    () => Date.now(),
  );
  cleanUp.push(() => opened.close());
  return opened;
}

describe('tools of an MCP server', () => {
  it('are listed under unique names and called with the key of the server', async () => {
    const server = await peer();
    const servers = await open([{ url: server.url }]);
    expect(servers.failed).toEqual([]);
    expect(servers.specs.map(({ name, description }) => [name, description])).toEqual([
      ['crm_find', 'Does find.'],
      ['crm_fail_2', 'Does fail.'],
      ['crm_hang', 'Does hang.'],
      ['crm_echo', 'Does echo.'],
    ]);
    expect(await servers.call('crm_find', { phone: '+1' })).toEqual({
      ok: true,
      result: { text: 'Priya, a customer since May.' },
    });
    expect(await servers.call('crm_fail_2', {})).toEqual({ ok: false, result: { text: 'no such customer' } });
    expect(server.calls[0]).toEqual({ name: 'find', args: { phone: '+1' }, authorization: 'Bearer mcp-1' });
    expect(await servers.call('crm_other', {})).toMatchObject({ ok: false });
  });

  it('are limited to allowed_tools; a hanging call times out', async () => {
    const server = await peer();
    const servers = await open([{ url: server.url, allowedTools: ['hang'], timeoutSeconds: 1 }]);
    expect(servers.specs.map(({ name }) => name)).toEqual(['crm_hang']);
    expect(await servers.call('crm_hang', {})).toEqual({
      ok: false,
      result: { error: 'the server did not answer' },
    });
  });

  it('of a silent, unreachable or internal server are missing; the others are listed', async () => {
    const [good, silent, gone] = [await peer(), await peer({ silent: true }), await peer()];
    await gone.close();
    const servers = await open([
      { url: good.url, name: 'good' },
      { url: silent.url, name: 'silent' },
      { url: gone.url, name: 'gone' },
    ]);
    expect(servers.specs.map(({ name }) => name)).toEqual([
      'good_find',
      'good_fail',
      'good_hang',
      'good_echo',
    ]);
    expect(servers.failed.map(({ name }) => name).sort()).toEqual(['gone', 'silent']);
    const refused = await open([{ url: good.url }], []);
    expect(refused.specs).toEqual([]);
    expect(good.requests()).toBeGreaterThan(0);
    const before = good.requests();
    await open([{ url: good.url }], []);
    expect(good.requests()).toBe(before);
  });

  it('return no key, in answers and errors', async () => {
    const [refusing, echoing] = [await peer({ echo: 'refusing' }), await peer()];
    const query = '?token=query%2Dsecret-9';
    const servers = await open([
      { url: refusing.url + query, name: 'refusing' },
      { url: echoing.url + query, name: 'echoing' },
    ]);
    expect(servers.failed).toMatchObject([{ name: 'refusing', error: 'the server answered 401' }]);
    const answer = await servers.call('echoing_echo', {});
    expect(answer.ok).toBe(true);
    const text = JSON.stringify([answer, servers.failed]);
    expect(text).toContain('***');
    for (const secret of ['mcp-1', 'secret-9']) expect(text).not.toContain(secret);
  });
});
