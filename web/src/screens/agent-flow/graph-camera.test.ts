import { assert, double, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { boundsOf, centred, fitted, panned, SCALES, toGraph, zoomed } from './graph-camera.ts';

const length = double({ min: -5_000, max: 5_000, noNaN: true });
const point = record({ x: length, y: length });
const camera = record({ x: length, y: length, scale: double({ min: 0.1, max: 2, noNaN: true }) });
const VIEW = { width: 800, height: 600 };

it('keeps the point under the pointer while it zooms', () => {
  assert(
    property(camera, point, double({ min: 0.2, max: 5, noNaN: true }), (before, pixel, factor) => {
      const after = zoomed(before, factor, pixel);
      expect(after.scale).toBeGreaterThanOrEqual(SCALES.least);
      expect(after.scale).toBeLessThanOrEqual(SCALES.most);
      expect(toGraph(after, pixel).x).toBeCloseTo(toGraph(before, pixel).x, 3);
      expect(toGraph(after, pixel).y).toBeCloseTo(toGraph(before, pixel).y, 3);
    }),
  );
});

it('shows a point that moved with it after a pan', () => {
  assert(
    property(camera, point, point, (before, pixel, by) => {
      const after = panned(before, by);
      const seen = toGraph(after, { x: pixel.x + by.x, y: pixel.y + by.y });
      expect(seen.x).toBeCloseTo(toGraph(before, pixel).x, 3);
      expect(seen.y).toBeCloseTo(toGraph(before, pixel).y, 3);
    }),
  );
});

it('puts a point in the middle', () => {
  assert(
    property(camera, point, (before, target) => {
      const seen = toGraph(centred(before, target, VIEW), { x: 400, y: 300 });
      expect(seen.x).toBeCloseTo(target.x, 3);
      expect(seen.y).toBeCloseTo(target.y, 3);
    }),
  );
});

it('shows a whole graph that fits, never larger than life', () => {
  const step = { width: 200, height: 72 };
  const bounds = boundsOf(
    [
      { x: -300, y: 0 },
      { x: 500, y: 1_000 },
    ],
    step,
  );
  expect(bounds).toEqual({ x: -300, y: 0, width: 1_000, height: 1_072 });
  const whole = fitted(bounds, VIEW);
  const [from, to] = [toGraph(whole, { x: 0, y: 0 }), toGraph(whole, { x: 800, y: 600 })];
  expect(from.x < -300 && from.y < 0 && to.x > 700 && to.y > 1_072).toBe(true);
  expect(fitted(boundsOf([{ x: 0, y: 0 }], step), VIEW).scale).toBe(1);
  expect(fitted(boundsOf([], step), VIEW).scale).toBe(1);
  // Too tall for the least scale: the top is in sight.
  expect(fitted({ x: 0, y: 0, width: 200, height: 100_000 }, VIEW)).toMatchObject({ y: 24, scale: 0.1 });
});
