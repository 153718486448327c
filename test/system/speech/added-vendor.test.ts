import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const FIXTURES = new URL('../../fixtures/vendors/', import.meta.url);
const path = (file: string): string => fileURLToPath(new URL(file, FIXTURES));
const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-IN'];

/** A folder (`test/fixtures/vendors/parrot`) and one entry of the list are all that the parrot adds to the service. */
describe('a vendor added by one folder and one entry of the list', () => {
  let derived: Record<string, unknown>;

  beforeAll(async () => {
    const hook = new URL('list-with-parrot.ts', FIXTURES).href;
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', hook, path('use-parrot.ts')]);
    derived = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Record<string, unknown>;
  });

  it('has settings, and the configuration requires its key', () => {
    expect(derived['settings']).toEqual([
      'PARROT_API_KEY=',
      'PARROT_BASE_URL=https://api.parrot.example',
      'PARROT_MODEL=',
      'PARROT_LLM_MODEL=polly-1',
      'PARROT_VOICE=',
    ]);
    expect(derived['problems']).toEqual([
      'PARROT_API_KEY is required when LLM_PROVIDER names parrot',
      'PARROT_API_KEY is required when STT_PROVIDER names parrot',
      'PARROT_API_KEY is required when TTS_PROVIDER names parrot',
    ]);
  });

  it('may be named in chains and accounts of the API and the dashboard', () => {
    expect(derived).toMatchObject({ inChains: [true, true, true], inAccounts: true, inDashboard: true });
  });

  it('has prices, languages and voices', () => {
    expect(derived).toMatchObject({
      price: 0.5,
      heard: [[...ENGLISH, 'hi-IN'], ENGLISH],
      spoken: [...ENGLISH, 'ta-IN'],
      voices: [{ name: 'Polly', languages: ['en-GB'] }],
    });
  });

  it('is checked by doctor', () => {
    expect(derived['checks']).toEqual([
      { name: 'recogniser parrot', ok: true },
      { name: 'voice parrot', ok: true },
      { name: 'language model parrot', ok: true },
    ]);
  });

  it('hears, speaks and replies over its connections', () => {
    expect(derived).toMatchObject({ words: 'pretty polly', samples: 1_600, reply: 'Polly!' });
  });
});
