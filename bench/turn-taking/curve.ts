import { turnSettings, turnWait, type EndSound, type EndWeights, type TurnWaits } from '@callwright/turns';
import type { Observation } from './observe.ts';
import type { PeerJudgement } from './peers.ts';

/** How a detector does at one setting: mean delay at ends of turns, and share of pauses inside turns that it cuts off. */
export interface Point {
  readonly delayMs: number;
  readonly cutOffs: number;
}

/** The earliest end: the speech gate, the judgement and the last words need this long. */
const EARLIEST_MS = 200;
const LATEST_MS = 3_000;
const STEP_MS = 20;
const WAITS = Array.from(
  { length: (LATEST_MS - EARLIEST_MS) / STEP_MS + 1 },
  (_, i) => EARLIEST_MS + i * STEP_MS,
);

const THRESHOLDS = Array.from({ length: 51 }, (_, i) => i / 49.5);

/** Means of many shares. */
const ROUNDING = 1e-9;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** How a detector that waits this long at each pause does. */
export function pointOf(observations: readonly Observation[], waitOf: (of: Observation) => number): Point {
  const delays: number[] = [];
  const cuts: number[] = [];
  for (const observation of observations) {
    const wait = waitOf(observation);
    const { lengthsMs } = observation;
    if (lengthsMs === null) delays.push(wait);
    else cuts.push(lengthsMs.reduce((count, ms) => count + Number(ms > wait), 0) / lengthsMs.length);
  }
  return { delayMs: mean(delays), cutOffs: mean(cuts) };
}

/** Silence of one length. */
export const silenceOnly = (observations: readonly Observation[]): Point[] =>
  WAITS.map((wait) => pointOf(observations, () => wait));

/** The model's probability at every threshold, with every silence that ends a turn which it takes for unfinished. */
export const modelAlone = (observations: readonly Observation[]): Point[] =>
  THRESHOLDS.flatMap((threshold) =>
    WAITS.map((wait) =>
      pointOf(observations, ({ sound }) => (sound.probability >= threshold ? EARLIEST_MS : wait)),
    ),
  );

/** A peer on the pauses that its speech gate heard: with its defaults, and at every threshold and silence. */
export function peerPoints(
  observations: readonly Observation[],
  judged: readonly PeerJudgement[],
): { readonly defaults: Point; readonly curve: readonly Point[]; readonly unheard: number } {
  const heard = new Map<Observation, { gateMs: number; waitMs: number; probability: number }>();
  for (const [at, observation] of observations.entries()) {
    const { gateMs, waitMs, probability } = judged[at]!;
    if (gateMs !== null && waitMs !== null)
      heard.set(observation, { gateMs, waitMs: Math.max(0, waitMs), probability: probability ?? 1 });
  }
  const list = [...heard.keys()];
  const gateOf = (of: Observation): number => Math.max(EARLIEST_MS, heard.get(of)!.gateMs);
  const curve = THRESHOLDS.flatMap((threshold) =>
    WAITS.map((wait) =>
      pointOf(list, (of) =>
        heard.get(of)!.probability >= threshold ? gateOf(of) : Math.max(gateOf(of), wait),
      ),
    ),
  );
  return {
    defaults: pointOf(list, (of) => heard.get(of)!.waitMs),
    curve,
    unheard: observations.length - list.length,
  };
}

/** The votes at every probability that ends a turn. */
export const voted = (observations: readonly Observation[], weights: EndWeights): Point[] =>
  Array.from({ length: 131 }, (_, i) => 1 / (1 + Math.exp(4 - i / 10))).map((sure) =>
    votedAt(observations, { ...weights, sure }),
  );

const { endpointing } = turnSettings({
  callConfig: {},
  introMessage: '',
  language: 'en-US',
  direction: 'inbound',
});
/** Of a call's first turn. */
const FIRST: TurnWaits = { questionMs: endpointing.completeMs, pausedMs: 0, ...endpointing };
const waitOf = ({ words }: Observation, sound: EndSound | null, weights?: EndWeights): number =>
  Math.max(EARLIEST_MS, turnWait(words, sound, FIRST, weights));

/** The votes as calls use them. */
export const votedAt = (observations: readonly Observation[], weights: EndWeights): Point =>
  pointOf(observations, (of) => waitOf(of, of.sound, weights));

/** The words alone, as calls without a turn model use them. */
export const wordsAlone = (observations: readonly Observation[]): Point =>
  pointOf(observations, (of) => waitOf(of, null));

/** The fewest cut-offs at a mean delay of at most this; null: the detector is never that quick. */
export function cutOffsAt(points: readonly Point[], delayMs: number): number | null {
  const quick = points.filter((point) => point.delayMs <= delayMs).map(({ cutOffs }) => cutOffs);
  return quick.length === 0 ? null : Math.min(...quick);
}

/** The shortest mean delay with at most this share of cut-offs; null: the detector never has so few. */
export function delayAt(points: readonly Point[], share: number): number | null {
  const rare = points.filter(({ cutOffs }) => cutOffs <= share + ROUNDING).map(({ delayMs }) => delayMs);
  return rare.length === 0 ? null : Math.min(...rare);
}
