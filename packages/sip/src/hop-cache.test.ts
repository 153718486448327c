import { expect, it } from 'vitest';
import { HopCache } from './hop-cache.ts';
import type { Peer } from './transport.ts';
import { ManualScheduler } from '../test/manual-scheduler.ts';
import { peerAt } from '../test/virtual-network.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A cache over a name service that the test answers. */
function cacheOver() {
  const scheduler = new ManualScheduler();
  const asked: { uri: string; answer: (peers: Peer[]) => void; fail: () => void }[] = [];
  const cache = new HopCache(
    (uri) =>
      new Promise(
        (answer, reject) => void asked.push({ uri, answer, fail: () => reject(new Error('no DNS')) }),
      ),
    scheduler,
  );
  const used: string[][] = [];
  const peers = (uri: string): void =>
    cache.peers(uri, 'auto', (found) => void used.push(found.map(({ address }) => address)));
  return { scheduler, asked, used, peers };
}

it('asks for 256 names at once, and finds no address for those above', async () => {
  const { asked, used, peers } = cacheOver();
  for (let index = 0; index < 300; index += 1) peers(`sip:us@host${index}.example`);
  await settle();
  expect([asked.length, used]).toEqual([256, Array.from({ length: 44 }, () => [])]);
  asked[0]?.answer([peerAt('192.0.2.7')]);
  await settle();
  peers('sip:us@host299.example');
  expect(asked.length).toBe(257);
});

it('asks once for all calls of a host, and uses the answer at once from then on', async () => {
  const { asked, used, peers, scheduler } = cacheOver();
  peers('sip:one@edge.carrier.example');
  peers('sip:two@edge.carrier.example');
  expect([asked.length, used]).toEqual([1, []]);
  asked[0]?.answer([peerAt('192.0.2.7')]);
  await settle();
  peers('sip:three@EDGE.carrier.example');
  expect(used).toEqual([['192.0.2.7'], ['192.0.2.7'], ['192.0.2.7']]);
  peers('sip:one@edge.carrier.example:5070');
  peers('sip:one@edge.carrier.example;transport=tcp');
  expect(asked.length).toBe(3);
  scheduler.advance(1_000);
  expect(scheduler.pending).toBe(0);
});

it('gives up after 300 ms, and remembers an answer that comes later', async () => {
  const { asked, used, peers, scheduler } = cacheOver();
  peers('sip:one@edge.carrier.example');
  scheduler.advance(299);
  expect(used).toEqual([]);
  scheduler.advance(1);
  expect(used).toEqual([[]]);
  asked[0]?.answer([peerAt('192.0.2.7')]);
  await settle();
  expect(used).toEqual([[]]);
  peers('sip:one@edge.carrier.example');
  expect(used.at(-1)).toEqual(['192.0.2.7']);
});

it('uses old addresses while it asks again, and keeps them when that fails', async () => {
  const { asked, used, peers, scheduler } = cacheOver();
  peers('sip:one@edge.carrier.example');
  asked[0]?.answer([peerAt('192.0.2.7')]);
  await settle();
  scheduler.advance(60_000);
  peers('sip:one@edge.carrier.example');
  expect([asked.length, used.at(-1)]).toEqual([2, ['192.0.2.7']]);
  asked[1]?.fail();
  await settle();
  peers('sip:one@edge.carrier.example');
  expect([asked.length, used.at(-1)]).toEqual([3, ['192.0.2.7']]);
});
