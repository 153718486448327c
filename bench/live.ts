import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { peak } from '@callwright/audio';
import type { Page } from 'playwright-core';
import { wavFile } from './live/tone.ts';
import { WallLag } from './live/wall-lag.ts';
import { silentLog } from '../src/shared/log.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { openDashboard } from '../test/helpers/browser/dashboard.ts';
import { createAgent, place, whenCall, type ApiClient } from '../test/helpers/service/scenario.ts';
import { TEST_KEY } from '../test/helpers/service/service.ts';
import { phonesOf, type PhoneCall } from '../test/helpers/sip/line-phone.ts';
import { startSipPeer } from '../test/helpers/sip/sip-peer.ts';
import { boundsText, heading, saveResult, table } from './report.ts';

/**
 * The page Live calls in Chromium: pictures a second and the delay of words on a wall of `--calls` calls, and the time from
 * "Talk" to the first sound of the member's microphone at the phone.
 */
const { values: args } = parseArgs({
  options: {
    calls: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '20' },
    save: { type: 'boolean', default: false },
  },
});
const CALLER = '+14155550123';
const OURS = '+14155550100';
const [LEAST_FPS, MOST_LAG_MS, MOST_TALK_MS] = [20, 1_000, 250];
const at = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

/** From the click on "Talk", by the browser's own time of that event, to the first loud frame at the phone, ms. */
async function firstSound(caller: PhoneCall, page: Page, press: () => Promise<void>): Promise<number> {
  const from = caller.frames().length;
  const clickedAt = page.evaluate<number>(
    `new Promise((resolve) => addEventListener(
      'click', (event) => resolve(performance.timeOrigin + event.timeStamp), { capture: true, once: true }))`,
  );
  void press();
  for (;;) {
    if (
      caller
        .frames()
        .slice(from)
        .some((frame) => peak(frame) > 2_000)
    )
      return performance.timeOrigin + performance.now() - (await clickedAt);
    await setTimeout(4);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'callwright-bench-live-'));
const tone = join(folder, 'tone.wav');
await writeFile(tone, wavFile());
const postgres = new EmbeddedPostgres({ dataDir: folder, log: silentLog });
const url = await postgres.start();
const peer = await startSipPeer();
const phones = phonesOf(peer);
phones.on(CALLER, { answers: 'PCMU' });
const dashboard = await openDashboard(
  { LOG_LEVEL: 'warn', DATABASE_URL: url },
  [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${tone}`,
  ],
  {
    trunks: [{ name: 'carrier', uri: `sip:127.0.0.1:${peer.port}`, transport: 'udp' }],
    workspaces: [
      {
        name: 'Test',
        api_key: TEST_KEY,
        credits: 10_000,
        call_limit: 200,
        numbers: [
          { number: OURS, trunk: 'carrier' },
          { number: '+14155550199', trunk: 'test' },
        ],
      },
    ],
  },
);
try {
  peer.target(dashboard.service.sipPort);
  const client: ApiClient = {
    request: (method: string, path: string, body?: object) =>
      dashboard.api(method, path.replace('/api/v0', ''), body),
  };
  const agentId = await createAgent(client, {
    intro_message: 'Hello.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 600, max_call_length: 1_200 },
  });
  const { page } = dashboard.owner;
  // Tests have a browser without motion; readers mostly do not, and the lanes of the cards move.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/live');
  const callIds: string[] = [];
  for (let n = 0; n < Number(args.calls); n += 1)
    callIds.push(await place(client, agentId, `+1415${200 + n}0006`, { from_number: '+14155550199' }));
  for (const callId of callIds)
    await whenCall(client, callId, 'answered', (call) => call.answered_at !== null, 120_000);
  const wall = await new WallLag(page).run(dashboard, callIds, Number(args.seconds));

  const callId = await place(client, agentId, CALLER, { from_number: OURS });
  await whenCall(client, callId, 'answered', (call) => call.answered_at !== null);
  await page.goto(`/live?call=${callId}`);
  await page.getByRole('button', { name: 'Listen', exact: true }).click();
  const talk = page.getByRole('button', { name: 'Talk', exact: true });
  await talk.waitFor();
  const [caller] = phones.calls(CALLER) as [PhoneCall];
  const times: number[] = [];
  for (let round = 0; round < Number(args.rounds); round += 1) {
    times.push(await firstSound(caller, page, () => talk.click()));
    await page.getByRole('button', { name: 'Hand back to the assistant' }).click();
    await talk.waitFor();
    await setTimeout(1_500);
  }
  const text = [
    heading(
      'Live calls',
      `A wall of ${args.calls} calls that speak in turn, and ${args.rounds} take-overs of a SIP call; service, phone and Chromium on one machine`,
    ),
    table(
      ['what', 'median', '95th percentile', 'worst'],
      [
        ['delay of words on the wall, ms', at(wall.lags, 0.5), at(wall.lags, 0.95), at(wall.lags, 1)],
        ['“Talk” to the first sound at the phone, ms', at(times, 0.5), at(times, 0.95), at(times, 1)],
      ].map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toFixed(0) : cell))),
    ),
    `Pictures a second of the wall: ${wall.fps.toFixed(0)}. Words that were shown: ${wall.lags.length} of ${wall.said}.`,
    '',
    boundsText([
      { text: `at least ${LEAST_FPS} pictures a second`, holds: wall.fps >= LEAST_FPS },
      { text: `95 % of the words within ${MOST_LAG_MS} ms`, holds: at(wall.lags, 0.95) <= MOST_LAG_MS },
      { text: `every take-over within ${MOST_TALK_MS} ms`, holds: at(times, 1) <= MOST_TALK_MS },
    ]),
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('live', text);
} finally {
  await dashboard.close();
  await peer.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
