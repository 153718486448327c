/** Stretches of sound; pauses below `PAUSE_MS` are part of one. */
const PAUSE_MS = 300;
const FLOOR = 1_000;

function sounds(pcm: Int16Array): { fromMs: number; toMs: number }[] {
  const found: { fromMs: number; toMs: number }[] = [];
  for (let i = 0; i < pcm.length; i++) {
    if (Math.abs(pcm[i] as number) < FLOOR) continue;
    const atMs = i / 8;
    const last = found.at(-1);
    if (last === undefined || atMs - last.toMs > PAUSE_MS) found.push({ fromMs: atMs, toMs: atMs });
    else last.toMs = atMs;
  }
  return found;
}

/** From the end of each turn in what the phone sent to the next sound that it received, ms; null: none followed. */
export function reactions(sent: Int16Array, received: Int16Array, turns: number): (number | null)[] {
  const replies = sounds(received);
  return sounds(sent)
    .slice(0, turns)
    .map(({ toMs }) => {
      const reply = replies.find(({ fromMs }) => fromMs > toMs);
      return reply === undefined ? null : Math.round(reply.fromMs - toMs);
    });
}

/**
 * The longest time, ms, in which a caller who had finished heard nothing although the agent's reply had not begun or went on:
 * of each turn but the last, until the next one.
 */
export function waits(sent: Int16Array, received: Int16Array, turns: number): number[] {
  const [own, heard] = [sounds(sent).slice(0, turns), sounds(received)];
  return own.slice(0, -1).map(({ toMs }, turn) => {
    const untilMs = own[turn + 1]?.fromMs ?? Infinity;
    let [quietFromMs, longest] = [toMs, 0];
    const reply = heard.filter((sound) => sound.toMs > toMs && sound.fromMs < untilMs);
    for (const sound of reply) {
      longest = Math.max(longest, sound.fromMs - quietFromMs);
      quietFromMs = sound.toMs;
    }
    return Math.round(reply.length === 0 ? untilMs - toMs : longest);
  });
}

/**
 * Compares the lines of a record with the words that a phone heard, in order: the most words of a line that are missing
 * in the phone, or that the phone heard and the line has not.
 */
export function wordsApart(lines: readonly string[], heard: readonly string[]): number {
  let at = 0;
  let most = 0;
  const split = lines.map((line) => line.split(/\s+/u).filter((word) => word !== ''));
  for (const [i, words] of split.entries()) {
    let same = 0;
    while (same < words.length && words[same] === heard[at + same]) same++;
    at += same;
    const missing = words.length - same;
    const next = split[i + 1];
    let more = 0;
    while (at + more < heard.length && !begins(next, heard, at + more)) more++;
    at += more;
    most = Math.max(most, missing, more);
  }
  return Math.max(most, heard.length - at);
}

/** The line begins at this word: its first two words are there. */
const begins = (line: readonly string[] | undefined, heard: readonly string[], at: number): boolean =>
  line !== undefined && line.slice(0, 2).every((word, i) => word === heard[at + i]);
