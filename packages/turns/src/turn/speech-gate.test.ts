import { describe, expect, it } from 'vitest';
import { initialGate, stepGate, type GateEdge } from './speech-gate.ts';

/** Edges for a row of probabilities, one per 20 ms frame; the first frame ends at 20. */
function edges(probabilities: readonly number[], levelDbfs = -20): GateEdge[] {
  let gate = initialGate();
  const out: GateEdge[] = [];
  probabilities.forEach((probability, i) => {
    const result = stepGate(gate, { probability, levelDbfs, frameMs: 20, at: (i + 1) * 20 });
    gate = result.gate;
    if (result.edge !== null) out.push(result.edge);
  });
  return out;
}
const frames = (...runs: [number, number][]): number[] =>
  runs.flatMap(([count, probability]) => Array.from({ length: count }, () => probability));

describe('the speech gate', () => {
  it('opens after 60 ms and closes after 80 ms, with the times of the sound', () => {
    expect(edges(frames([5, 0.1], [10, 0.9], [10, 0.1]))).toEqual([
      { type: 'speech_started', at: 160, since: 100 },
      { type: 'speech_stopped', at: 380, since: 300 },
    ]);
  });

  it('ignores clicks', () => {
    expect(edges(frames([5, 0.1], [2, 0.9], [5, 0.1], [2, 0.9], [5, 0.1]))).toEqual([]);
  });

  it('stays open over short gaps and undecided frames', () => {
    const found = edges(frames([5, 0.9], [3, 0.1], [5, 0.9], [30, 0.4], [10, 0.1]));
    expect(found.map((edge) => edge.type)).toEqual(['speech_started', 'speech_stopped']);
    expect(found[1]?.since).toBe(43 * 20);
  });

  it('is paused while it does not know whether a gap is the end', () => {
    let gate = initialGate();
    const paused = frames([5, 0.9], [2, 0.1], [2, 0.9], [5, 0.1]).map((probability, i) => {
      gate = stepGate(gate, { probability, levelDbfs: -20, frameMs: 20, at: (i + 1) * 20 }).gate;
      return gate.isPaused ? 1 : 0;
    });
    expect(paused.join('')).toBe('00000110011100');
  });

  it('does not open on undecided frames', () => {
    expect(edges(frames([50, 0.45]))).toEqual([]);
  });

  it('treats near silence as silence at any probability', () => {
    expect(edges(frames([50, 0.99]), -70)).toEqual([]);
  });
});
