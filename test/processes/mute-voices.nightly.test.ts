import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createAgent, place, provisionWith, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

let programs = '';
let service: Service | null = null;
afterEach(async () => {
  await service?.dispose();
  await rm(programs, { recursive: true, force: true });
});

/** Puts programs before the real ones that fail while the file `broken` exists. */
async function breakablePrograms() {
  programs = await mkdtemp(join(tmpdir(), 'callwright-engines-'));
  const broken = join(programs, 'broken');
  for (const name of ['espeak-ng', 'flite']) {
    const file = join(programs, name);
    await writeFile(file, `#!/bin/sh\n[ -e '${broken}' ] && exit 1\nexec /usr/bin/${name} "$@"\n`);
    await chmod(file, 0o755);
  }
  return {
    path: `${programs}:${process.env['PATH'] ?? ''}`,
    break: () => writeFile(broken, ''),
    mend: () => rm(broken),
  };
}

it('is not ready and dials nobody once its voices fail; both heal by themselves', async () => {
  const engines = await breakablePrograms();
  service = await startService({ provision: provisionWith({}), env: { PATH: engines.path } });
  const { url } = service;
  const readiness = async () => {
    const answer = await fetch(`${url}/readyz`);
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const agentId = await createAgent(service);
  await engines.break();
  const mute = await whenOver(service, await place(service, agentId, '+14155550124'));
  expect(mute).toMatchObject({ call_status: 'error', failure: { code: 'VOICE_FAILED' } });
  expect(mute.attempts[0].reason).toContain('The voice made no sound');

  const { body } = await eventually('the check to fail', async () => {
    const found = await readiness();
    return found.status === 503 ? found : null;
  });
  expect(body.message).toBe('not ready: voices');
  const check = body.checks.find(({ name }: { name: string }) => name === 'voices');
  expect(check.detail).toContain('the voices of this machine do not work: espeak-ng: ');
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^callwright_free_calls 0$/m);

  const waiting = await place(service, agentId, '+14155550124');
  await engines.mend();
  const answered = await whenCall(service, waiting, 'answered', (call) => call.answered_at !== null);
  expect(answered.attempts).toHaveLength(1);
  expect((await readiness()).status).toBe(200);
});
