import type { Dice } from './dice.ts';

/** Lists tokens that hold blanks and marks of every kind: `¦` separates them. */
export const tokens = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.split('¦'));

/** Numbers at the edges of their types, as text. */
export const BOUNDARIES = tokens(
  '0¦-1¦1¦127¦128¦255¦256¦32767¦32768¦65535¦65536¦2147483647¦2147483648¦4294967295¦4294967296',
  '9007199254740991¦9007199254740993¦1e400¦1.5¦00¦99999999999999999999¦NaN¦-0¦0x10¦٣¦１',
);

/** Characters that parsers mishandle: invisible, combining, right to left, astral, unpaired, line separators. */
const CHARACTERS = tokens(
  '\u0000¦\t¦\r¦\n¦\u0001¦\u007F¦\u00A0¦\u0301¦\u200B¦\u200D¦\u202E¦\u2028¦\u2029¦\uFEFF¦\uFFFD',
  '\uD800¦\uDC00¦ß¦İ¦ﬁ¦क्¦田¦😀¦👩‍👩‍👧¦％',
);

const RUN = 3_000;

/** One to six edits of a text: cuts, copies, swaps, long runs, tokens, boundary numbers, odd characters, a splice. */
export function mutateText(
  text: string,
  parts: readonly string[],
  corpus: readonly string[],
  dice: Dice,
): string {
  let result = text;
  for (let edits = dice.from(1, 6); edits > 0; edits -= 1) result = editText(result, parts, corpus, dice);
  return result;
}

function editText(text: string, parts: readonly string[], corpus: readonly string[], dice: Dice): string {
  const at = dice.below(text.length + 1);
  const to = Math.min(text.length, at + dice.below(dice.chance(0.2) ? text.length + 1 : 20));
  const insert = (part: string): string => text.slice(0, at) + part + text.slice(at);
  const piece = (): string => (dice.chance(0.7) ? dice.pick(parts) : dice.pick(CHARACTERS));
  switch (dice.below(8)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return insert(text.slice(at, to));
    case 2:
      return insert(dice.pick(CHARACTERS));
    case 3: {
      const part = piece();
      return insert(part.repeat(Math.ceil(dice.below(RUN) / Math.max(1, part.length))));
    }
    case 4: {
      const number = /\d+/.exec(text.slice(at));
      const from = at + (number?.index ?? 0);
      return text.slice(0, from) + dice.pick(BOUNDARIES) + text.slice(from + (number?.[0].length ?? 0));
    }
    case 5: {
      const other = dice.pick(corpus);
      return text.slice(0, at) + other.slice(dice.below(other.length + 1));
    }
    default:
      return insert(piece());
  }
}

const EDGE_BYTES = [0, 1, 0x0a, 0x0d, 0x20, 0x22, 0x7f, 0x80, 0xbf, 0xc0, 0xfe, 0xff];

/** One to six edits of bytes: bit flips, edge bytes, cuts, copies, long runs, 16 and 32 bit boundaries, a splice. */
export function mutateBytes(bytes: Buffer, corpus: readonly Buffer[], dice: Dice): Buffer {
  let result: Buffer = Buffer.from(bytes);
  for (let edits = dice.from(1, 6); edits > 0; edits -= 1) result = editBytes(result, corpus, dice);
  return result;
}

function editBytes(bytes: Buffer, corpus: readonly Buffer[], dice: Dice): Buffer {
  const at = dice.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + dice.below(dice.chance(0.2) ? bytes.length + 1 : 20));
  const insert = (part: Buffer): Buffer => Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
  const last = bytes.length - 1;
  switch (dice.below(8)) {
    case 0:
      if (last >= 0)
        bytes.writeUInt8(bytes.readUInt8(Math.min(at, last)) ^ (1 << dice.below(8)), Math.min(at, last));
      return bytes;
    case 1:
      if (last >= 0) bytes.writeUInt8(dice.pick(EDGE_BYTES), Math.min(at, last));
      return bytes;
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
    case 3:
      return insert(bytes.subarray(at, to));
    case 4:
      return insert(Buffer.alloc(dice.below(dice.chance(0.2) ? RUN : 16), dice.pick(EDGE_BYTES)));
    case 5: {
      const other = dice.pick(corpus);
      return Buffer.concat([bytes.subarray(0, at), other.subarray(dice.below(other.length + 1))]);
    }
    case 6: {
      const width = dice.pick([2, 4]);
      if (bytes.length < width) return bytes;
      const value = dice.pick([0, 1, 2 ** (8 * width) - 1, 2 ** (8 * width - 1), dice.below(65_536)]);
      bytes.writeUIntBE(value, Math.min(at, bytes.length - width), width);
      return bytes;
    }
    default:
      return insert(dice.bytes(dice.below(8)));
  }
}
