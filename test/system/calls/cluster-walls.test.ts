import type { KyselyPlugin } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { LiveCalls, type CallControls } from '../../../src/dialer/live-calls.ts';
import { WallShare } from '../../../src/dialer/wall-share.ts';
import { ClusterWalls } from '../../../src/domain/calls/cluster-walls.ts';
import type { WatchedEvent } from '../../../src/domain/calls/watch.ts';
import { SchedulerWake } from '../../../src/scheduler/loop.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { WALL_REQUESTS } from '../../../src/store/calls/wall-news.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';

const CONTROLS: CallControls = {
  hangup: () => undefined,
  cut: () => undefined,
  control: () => false,
  listen: () => false,
  unlisten: () => undefined,
};

let ground: Ground;
beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** What a process of the cluster has of walls: its calls, what it sends and what it shows. */
function startProcess() {
  const { clock } = ground;
  const processId = newId();
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const live = new LiveCalls();
  const db = ground.db.withPlugin(counting);
  const share = new WallShare({ db, clock, log: silentLog, live, processId });
  const wake = new SchedulerWake({ db: ground.db, log: silentLog });
  wake.listen(ground.url, undefined, { [WALL_REQUESTS]: (payload) => share.receive(payload) });
  const local = (workspaceId: string, watcher: (event: WatchedEvent) => void) =>
    live.watchAll(workspaceId, watcher);
  const walls = new ClusterWalls({ db: ground.db, url: ground.url, log: silentLog, local, processId });
  ends.push(
    () => wake.close(),
    () => share.stop(),
  );
  return { live, walls, statements: () => statements };
}

/** Watches a workspace; `says` are its events in short. */
function watch(process: ReturnType<typeof startProcess>, workspaceId: string) {
  const says: string[] = [];
  const stop = process.walls.watchAll(workspaceId, (event) => {
    const { type, callId, line, text, subStatus } = event as WatchedEvent & {
      line?: { text: string };
      text?: string;
      subStatus?: string;
    };
    says.push(`${callId} ${type} ${line?.text ?? text ?? subStatus ?? ''}`.trim());
  });
  ends.push(stop);
  return { says, stop };
}

const status = (subStatus: string) => ({ type: 'status', status: 'ongoing', subStatus, at: 1 }) as const;
const words = (text: string) => ({ type: 'words', role: 'caller', text, at: 3 }) as const;
const line = (text: string) =>
  ({
    type: 'line',
    line: { role: 'caller', text, startedAt: 1, endedAt: 2, interrupted: false, by: 'speech' },
  }) as const;

it('shows states, partial words and lines of calls of another process, once each, to every wall', async () => {
  const [one, two] = [startProcess(), startProcess()];
  one.live.add('mine', 'a', CONTROLS);
  one.live.publish('a', status('CALL_ONGOING'));
  one.live.publish('a', line('Good morning.'));
  two.live.add('mine', 'b', CONTROLS);
  two.live.publish('b', status('RINGING'));
  one.live.add('theirs', 'c', CONTROLS);

  const first = watch(two, 'mine');
  expect(first.says).toEqual(['b status RINGING']);
  await expect.poll(() => first.says).toContain('a line Good morning.');
  one.live.publish('a', words('I would like'));
  await expect.poll(() => first.says).toContain('a words I would like');

  const second = watch(two, 'mine');
  await expect.poll(() => second.says).toContain('a line Good morning.');
  one.live.publish('c', line('A secret of others.'));
  one.live.publish('a', line('I would like to come.'));
  one.live.remove('a', { type: 'ended', status: 'completed', subStatus: 'USER_LEFT', at: 5 });
  for (const { says } of [first, second]) await expect.poll(() => says).toContain('a ended USER_LEFT');
  expect(first.says).toEqual([
    'b status RINGING',
    'a status CALL_ONGOING',
    'a line Good morning.',
    'a words I would like',
    'a line I would like to come.',
    'a ended USER_LEFT',
  ]);
  expect(second.says.filter((said) => said === 'b status RINGING')).toHaveLength(1);
});

it('sends nothing while nobody watches on another process, and many words of one line as one event', async () => {
  const [one, two] = [startProcess(), startProcess()];
  one.live.add('mine', 'a', CONTROLS);
  one.live.publish('a', status('CALL_ONGOING'));
  const own = watch(one, 'mine');
  await expect.poll(() => own.says).toEqual(['a status CALL_ONGOING']);
  for (const text of ['I', 'I would']) one.live.publish('a', words(text));
  expect(one.statements()).toBe(0);

  const other = watch(two, 'mine');
  await expect.poll(() => other.says).toEqual(['a status CALL_ONGOING']);
  const before = one.statements();
  for (let word = 0; word < 500; word += 1) one.live.publish('a', words(`word ${word}`));
  await expect.poll(() => other.says).toContain('a words word 499');
  expect(other.says.length).toBeLessThan(5);
  expect(one.statements() - before).toBeLessThan(5);

  other.stop();
  // The lease of the watch ends by the clock of the service.
  ground.clock.advance(11_000);
  await expect
    .poll(
      () => {
        const known = one.statements();
        one.live.publish('a', words('more'));
        return new Promise((resolve) => setTimeout(() => resolve(one.statements() - known), 600));
      },
      { timeout: 30_000 },
    )
    .toBe(0);
});
