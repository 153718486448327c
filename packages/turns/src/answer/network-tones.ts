interface Tone {
  readonly hz: number;
  readonly ms: number;
  readonly goesOn?: true;
  readonly at: number;
}

/** Answer tone of a fax (ITU-T T.30): 2100 Hz for seconds. */
const isAnswerTone = ({ hz, ms }: Tone): boolean => Math.abs(hz - 2100) <= 40 && ms >= 900;
/** Calling tone of a fax: 1100 Hz for half a second, every 3.5 s. */
const isCallingTone = ({ hz }: { readonly hz: number }): boolean => Math.abs(hz - 1100) <= 40;
/** Special information tones (ITU-T E.180): three rising tones of a third of a second. */
const SPECIAL: readonly (readonly [number, number])[] = [
  [900, 1000],
  [1350, 1450],
  [1730, 1830],
];
const SPECIAL_WITHIN_MS = 1_500;
/**
 * The second tone of North American networks: 1371 Hz before "not in service", 1429 Hz before "no circuit". The 1400 Hz of
 * ITU-T E.180 leaves the reason open.
 */
export const SPECIAL_NUMBER_BELOW_HZ = 1_386;
/** A tone after this much speech is no calling tone: mailboxes beep at 1100 Hz as well. */
const SILENT_MS = 300;

/** The network's or a modem's signal in a tone; `spokenMs`: speech before the tone. */
export function networkTone(
  tones: readonly { readonly hz: number; readonly at: number }[],
  tone: Tone,
  spokenMs: number,
): 'fax' | 'sit' | null {
  if (isAnswerTone(tone)) return 'fax';
  const last = tones.slice(-3);
  const isSpecial =
    last.length === 3 &&
    (last[2]?.at ?? 0) - (last[0]?.at ?? 0) <= SPECIAL_WITHIN_MS &&
    last.every(({ hz }, i) => hz >= (SPECIAL[i]?.[0] ?? 0) && hz <= (SPECIAL[i]?.[1] ?? 0));
  if (isSpecial) return 'sit';
  const [before, now] = tones.slice(-2);
  const isRepeated = before !== undefined && now !== undefined && isCallingTone(before) && isCallingTone(now);
  return isRepeated && spokenMs <= SILENT_MS ? 'fax' : null;
}
