import { expect, it } from 'vitest';
import { startReport, type Started } from './report.ts';

it('the printed call names the demo agent, so that an agent created later is not used in its place', () => {
  const first = { apiKey: 'cw_live_x', agentId: 'the-demo-agent', numberId: 'a-number' };
  const started = {
    url: 'http://127.0.0.1:8080',
    hasApi: true,
    listening: null,
    engines: null,
    better: null,
    warnings: [],
    provisioned: { newKeys: [], lines: [], first },
    allowsEveryCountry: false,
    ownerLink: null,
    needsFirstRun: false,
    files: null,
  } as unknown as Started;
  const command = startReport(started).find((line) => line.includes('callwright call'));
  expect(command).toContain('call +14155550123 --agent the-demo-agent');
  expect(command).toContain('CALLWRIGHT_API_KEY=cw_live_x ');

  // Without a terminal it names the file of the key instead.
  const files = { keyFile: '/data/api-key.txt', linkFile: '/data/owner-link.txt' };
  const report = startReport({ ...started, ownerLink: 'http://x/first-run#secret', files }).join('\n');
  expect(report).toContain('--key-file /data/api-key.txt');
  expect(report).toContain('-H "X-API-KEY: $(cat /data/api-key.txt)"');
  expect(report).toContain('/data/owner-link.txt');
  expect(report).not.toMatch(/cw_live_|secret/);

  // A link that has expired is not printed again; the command that makes a new one is.
  const expired = startReport({ ...started, needsFirstRun: true }).join('\n');
  expect(expired).toContain('callwright first-run prints a link');
  expect(expired).not.toContain('first-run#');
});

it('names what hears and what speaks, and what would be better with its command', () => {
  const started = {
    url: 'http://127.0.0.1:8080',
    hasApi: true,
    listening: null,
    engines: {
      vad: 'silero',
      llm: 'offline',
      inUse: { ears: 'expected phrases', voices: 'espeak-ng and flite' },
    },
    better: 'callwright models get fetches the English pack (97 MB): every word of English callers is heard',
    warnings: [],
    provisioned: { newKeys: [], lines: [], first: null },
    allowsEveryCountry: false,
    ownerLink: null,
    needsFirstRun: false,
    files: null,
  } satisfies Started;
  expect(startReport(started).slice(5, 9)).toEqual([
    '  Hears       expected phrases',
    '  Speaks      espeak-ng and flite',
    '  Engines     brain offline, speech detection silero',
    '  Advice      callwright models get fetches the English pack (97 MB): every word of English callers is heard',
  ]);
  expect(startReport({ ...started, better: null }).join('\n')).not.toContain('Advice');
});
