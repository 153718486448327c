import { sectionName } from '../../parts/setting-names.ts';
import type { Version } from './types.ts';
import { t } from '../../words/words.ts';

/** One line beside its counterpart; null: that side has none. */
export interface DiffLine {
  readonly left: string | null;
  readonly right: string | null;
  readonly isSame: boolean;
}
export interface FieldDiff {
  /** Such as `call_config.voicemail.action`. */
  readonly field: string;
  readonly lines: readonly DiffLine[];
}

/** Fields that differ between any two versions, or repeat another one. */
const IGNORED = new Set([
  'version_id',
  'version_slug',
  'description',
  'call_traffic',
  'created_at',
  'updated_at',
  'agent_config.agent_prompt',
]);
/** More pairs of lines are not aligned: both texts are shown whole. */
const MAX_PAIRS = 250_000;

/** What two versions have differently, field by field, in the order of the fields. */
export function diffVersions(left: Version, right: Version): readonly FieldDiff[] {
  const [before, after] = [fieldsOf(left), fieldsOf(right)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((field) => ({ field, lines: diffLines(linesOf(before.get(field)), linesOf(after.get(field))) }));
}

const linesOf = (text: string | undefined): readonly string[] => (text === undefined ? [] : text.split('\n'));

/** Every leaf of the version as text by its path. Lists are leaves, except the sections of the prompt. */
function fieldsOf(version: Version): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const add = (path: string, value: unknown): void => {
    if (IGNORED.has(path)) return;
    if (path === 'agent_config.prompt_sections') {
      for (const section of version.agent_config.prompt_sections) {
        fields.set(
          t('Section “{sectionTitle}”', { sectionTitle: sectionName(section.section_title) }),
          section.section_content,
        );
      }
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) add(path === '' ? key : `${path}.${key}`, inner);
    } else {
      fields.set(path, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    }
  };
  add('', version);
  return fields;
}

/** Aligns two texts by their longest common lines; lines that changed stand beside each other. */
export function diffLines(left: readonly string[], right: readonly string[]): readonly DiffLine[] {
  const same = left.length * right.length > MAX_PAIRS ? [] : commonLines(left, right);
  const lines: DiffLine[] = [];
  let [l, r] = [0, 0];
  for (const [nextLeft, nextRight] of [...same, [left.length, right.length] as const]) {
    const count = Math.max(nextLeft - l, nextRight - r);
    for (let at = 0; at < count; at += 1) {
      lines.push({
        left: l + at < nextLeft ? (left[l + at] ?? null) : null,
        right: r + at < nextRight ? (right[r + at] ?? null) : null,
        isSame: false,
      });
    }
    const line = left[nextLeft];
    if (line !== undefined && nextRight < right.length) lines.push({ left: line, right: line, isSame: true });
    [l, r] = [nextLeft + 1, nextRight + 1];
  }
  return lines;
}

/** The indexes of the longest common subsequence. */
function commonLines(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let l = left.length - 1; l >= 0; l -= 1) {
    for (let r = right.length - 1; r >= 0; r -= 1) {
      lengths[l * width + r] =
        left[l] === right[r]
          ? (lengths[(l + 1) * width + r + 1] ?? 0) + 1
          : Math.max(lengths[(l + 1) * width + r] ?? 0, lengths[l * width + r + 1] ?? 0);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    if (left[l] === right[r]) {
      pairs.push([l, r]);
      [l, r] = [l + 1, r + 1];
    } else if ((lengths[(l + 1) * width + r] ?? 0) >= (lengths[l * width + r + 1] ?? 0)) l += 1;
    else r += 1;
  }
  return pairs;
}
