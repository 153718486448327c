import { parseSdp } from './parse.ts';
import type { SdpMedia } from './session-description.ts';

/** How the preconditions of an offer stand before our answer. `impossible`: we can never meet one that is mandatory. */
export type PreconditionState = 'none' | 'met' | 'unmet' | 'impossible';

type Direction = 'none' | 'send' | 'recv' | 'sendrecv';

/** An `a=des:qos` line of the offer. */
interface Desired {
  readonly strength: string;
  readonly segment: string;
  readonly direction: Direction;
}

const CURRENT = /^qos\s+(local|remote|e2e)\s+(none|sendrecv|send|recv)$/i;
const DESIRED =
  /^(\S+)\s+(mandatory|optional|none|failure|unknown)\s+(local|remote|e2e)\s+(none|sendrecv|send|recv)$/i;

/** What one side sends, the other receives. */
const MIRRORED: Readonly<Record<Direction, Direction>> = {
  none: 'none',
  send: 'recv',
  recv: 'send',
  sendrecv: 'sendrecv',
};

const covers = (current: Direction, wanted: Direction): boolean =>
  wanted === 'none' || current === 'sendrecv' || current === wanted;

const valuesOf = (media: SdpMedia, name: string): string[] =>
  media.attributes.flatMap((attribute) => (attribute.name === name ? [attribute.value ?? ''] : []));

function currentOf(media: SdpMedia, segment: 'local' | 'e2e'): Direction {
  const found = valuesOf(media, 'curr')
    .map((value) => CURRENT.exec(value))
    .find((match) => match?.[1]?.toLowerCase() === segment);
  return (found?.[2]?.toLowerCase() ?? 'none') as Direction;
}

const desiredOf = (media: SdpMedia): Desired[] =>
  valuesOf(media, 'des').flatMap((value) => {
    const match = DESIRED.exec(value);
    if (match?.[1]?.toLowerCase() !== 'qos') return [];
    const [, , strength = '', segment = '', direction = ''] = match.map((part) => part.toLowerCase());
    return [{ strength, segment, direction: direction as Direction }];
  });

/** A mandatory precondition of another type than qos: we know no way to meet it. */
const hasUnknownType = (media: SdpMedia): boolean =>
  valuesOf(media, 'des').some((value) => /^(?!qos\s)\S+\s+mandatory\s/i.test(value));

function stateOf(media: SdpMedia): PreconditionState {
  if (hasUnknownType(media)) return 'impossible';
  const desired = desiredOf(media);
  if (desired.length === 0) return 'none';
  const isOpen = (segment: 'local' | 'e2e'): boolean =>
    desired.some(
      (one) =>
        one.strength === 'mandatory' &&
        one.segment === segment &&
        !covers(currentOf(media, segment), one.direction),
    );
  // End to end, the network reserves for both sides with RSVP, which we do not speak.
  if (isOpen('e2e')) return 'impossible';
  return isOpen('local') ? 'unmet' : 'met';
}

const mediaOf = (sdp: string): readonly SdpMedia[] => {
  const parsed = parseSdp(sdp);
  return parsed.ok ? parsed.sdp.media : [];
};

/** The state of the offer's first audio line in use (RFC 3312 section 5). Our own side reserves nothing: it is always met. */
export function preconditionState(offer: string): PreconditionState {
  const audio = mediaOf(offer).find(({ kind, port }) => kind === 'audio' && port !== 0);
  return audio === undefined ? 'none' : stateOf(audio);
}

function linesFor(media: SdpMedia): string[] {
  const desired = desiredOf(media);
  const state = stateOf(media);
  if (state === 'none' || state === 'impossible') return [];
  const at = (segment: string, ours: string): string[] =>
    desired
      .filter((one) => one.segment === segment)
      .map(({ strength, direction }) => `a=des:qos ${strength} ${ours} ${MIRRORED[direction]}`);
  const has = (isEndToEnd: boolean): boolean =>
    desired.some(({ segment }) => (segment === 'e2e') === isEndToEnd);
  return [
    ...(has(true) ? [`a=curr:qos e2e ${MIRRORED[currentOf(media, 'e2e')]}`] : []),
    ...(has(false)
      ? ['a=curr:qos local sendrecv', `a=curr:qos remote ${MIRRORED[currentOf(media, 'local')]}`]
      : []),
    ...at('e2e', 'e2e'),
    ...at('remote', 'local'),
    ...at('local', 'remote'),
    ...(state === 'unmet' ? ['a=conf:qos remote sendrecv'] : []),
  ];
}

/** Adds to our answer the state of the offer's preconditions; without any, the answer stays the same. */
export function withPreconditions(offer: string, answer: string): string {
  const offered = mediaOf(offer);
  const sections = answer.split(/(?=^m=)/m);
  return sections
    .map((section, index) => {
      const media = index === 0 ? undefined : offered[index - 1];
      if (media === undefined || /^m=\S+ 0[ /]/.test(section)) return section;
      return (
        section +
        linesFor(media)
          .map((line) => `${line}\r\n`)
          .join('')
      );
    })
    .join('');
}
