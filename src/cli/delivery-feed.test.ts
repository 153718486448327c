import { array, assert, integer, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { DeliveryFeed, type ListedDelivery } from './delivery-feed.ts';

const at = (ms: number): string => new Date(1_767_607_200_000 + ms).toISOString();

it('begins with the whole log, and later lists a minute before the newest delivery', () => {
  const feed = new DeliveryFeed();
  expect(feed.since).toBeNull();
  feed.take([{ delivery_id: 'a', created_at: at(90_000) }]);
  expect(feed.since).toBe(at(30_000));
});

it('gives each delivery once and oldest first, whatever the order in which they become visible', () => {
  const arrival = record({
    createdMs: integer({ min: 0, max: 300_000 }),
    lateMs: integer({ max: 59_000, min: 0 }),
  });
  assert(
    property(array(arrival, { maxLength: 40 }), (arrivals) => {
      const feed = new DeliveryFeed();
      const log = arrivals.map(({ createdMs, lateMs }, index) => ({
        delivery_id: String(index),
        created_at: at(createdMs),
        createdMs,
        visibleMs: createdMs + lateMs,
      }));
      const given: string[] = [];
      for (let now = 0; now <= 360_000; now += 1000) {
        const since = feed.since;
        const listed: ListedDelivery[] = log
          .filter(({ visibleMs, created_at }) => visibleMs <= now && (since === null || created_at >= since))
          .toSorted((a, b) => b.createdMs - a.createdMs);
        const fresh = feed.take(listed);
        expect(fresh.map(({ created_at }) => created_at)).toEqual(
          fresh.map(({ created_at }) => created_at).toSorted((a, b) => a.localeCompare(b)),
        );
        given.push(...fresh.map(({ delivery_id }) => delivery_id));
      }
      expect(given.toSorted((a, b) => Number(a) - Number(b))).toEqual(
        log.map(({ delivery_id }) => delivery_id),
      );
    }),
  );
});
