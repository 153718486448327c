import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { silentLog } from '../src/shared/log.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/migrate.ts';
import { openDashboard, type Dashboard } from '../test/helpers/browser/dashboard.ts';
import { boundsText, heading, saveResult, table } from './report.ts';

/** The graph of a flow of 200 steps in Chromium: frames a second while a step is dragged, and while the graph is panned. */
const { values: args } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    save: { type: 'boolean', default: false },
    note: { type: 'string', default: '' },
  },
});
const seconds = Number(args.seconds);
const STEPS = 200;
const LEAST_FRAMES = 50;

/** A tree of questions, each with two answers, whose leaves end. */
function flowOfSteps(): object {
  const nodes = Array.from({ length: STEPS }, (_, place) => {
    const [yes, no] = [2 * place + 1, 2 * place + 2];
    if (yes >= STEPS) return { id: `s${place}`, type: 'end', say: 'Goodbye.' };
    if (no >= STEPS) return { id: `s${place}`, type: 'say', text: 'Well.', edges: [{ to: `s${yes}` }] };
    return {
      id: `s${place}`,
      type: 'choose',
      ask: `Question ${place}?`,
      answers: [{ name: 'yes' }, { name: 'no' }],
      edges: [
        { to: `s${yes}`, answer: 'yes' },
        { to: `s${no}`, answer: 'no' },
      ],
    };
  });
  return { start: 's0', nodes };
}

/** Frames a second while the pointer moves round from where it is pressed. */
async function framesWhileMoving(page: Page, from: { x: number; y: number }): Promise<number> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.evaluate(`
    globalThis.frames = { count: 0, from: performance.now(), isOn: true };
    const next = () => { frames.count += 1; if (frames.isOn) requestAnimationFrame(next); };
    requestAnimationFrame(next);`);
  const end = Date.now() + seconds * 1_000;
  for (let turn = 0; Date.now() < end; turn += 0.1) {
    await page.mouse.move(from.x + 60 * Math.sin(turn), from.y + 60 * (1 - Math.cos(turn)));
  }
  const frames = await page.evaluate<number>(
    `frames.isOn = false, frames.count * 1000 / (performance.now() - frames.from)`,
  );
  await page.mouse.up();
  return frames;
}

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-bench-'));
const postgres = new EmbeddedPostgres({ dataDir, log: silentLog });
let dashboard: Dashboard | null = null;
try {
  const url = await postgres.start();
  await migrate(url);
  dashboard = await openDashboard({ DATABASE_URL: url });
  const { voices } = (await dashboard.api('GET', '/agent/voices')).body;
  const made = await dashboard.api('POST', '/public/agent', {
    agent_name: 'Tree',
    introduction_and_objective: 'Ask.',
    response_guidelines: 'Short.',
    task: 'Ask.',
    primary_language: 'en-US',
    voice_id: voices.find((voice: any) => voice.languages.includes('en-US')).id,
    intro_message: 'Hello.',
  });
  const agentId: string = made.body.data.id;
  const edit = { operation: 'edit_flow', agent_id: agentId, flow: flowOfSteps() };
  const { status } = await dashboard.api('PATCH', '/agent/v1', edit);
  if (status !== 200) throw new Error(`the flow was refused: ${status}`);
  const { page } = dashboard.owner;
  await page.goto(`/agents/${agentId}?tab=flow`);
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  const step = page.locator('[data-step="5"]');
  await step.scrollIntoViewIfNeeded();
  const box = (await step.boundingBox())!;
  const dragged = await framesWhileMoving(page, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const ground = (await page.getByRole('img', { name: /^Graph of/ }).boundingBox())!;
  const panned = await framesWhileMoving(page, { x: ground.x + 20, y: ground.y + 20 });
  const text = [
    heading(
      `Graph of a flow, ${STEPS} steps`,
      `Chromium without a screen, ${seconds} s each, all steps in sight${args.note === '' ? '' : `. ${args.note}`}`,
    ),
    table(
      ['while', 'frames a second'],
      [
        ['a step is dragged', dragged.toFixed(1)],
        ['the graph is panned', panned.toFixed(1)],
      ],
    ),
    '',
    boundsText([
      {
        text: `at least ${LEAST_FRAMES} frames a second while a step is dragged`,
        holds: dragged >= LEAST_FRAMES,
      },
      {
        text: `at least ${LEAST_FRAMES} frames a second while the graph is panned`,
        holds: panned >= LEAST_FRAMES,
      },
    ]),
  ].join('\n');
  console.log(text);
  if (args.save) saveResult('flow-graph', text);
} finally {
  await dashboard?.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
