import { describe, expect, it } from 'vitest';
import { isShortYaml, readYaml, YamlLimitError } from './read-yaml.ts';

const read = (text: string): unknown => readYaml(text, { aliases: false });

describe('readYaml', () => {
  it('reads YAML and JSON', () => {
    expect(read('a: [1, "[", {b: ~}]\nc: |\n  [[\n')).toEqual({ a: [1, '[', { b: null }], c: '[[\n' });
    expect(read('{"a":[true]}')).toEqual({ a: [true] });
  });

  it('counts the brackets that nest, not those of texts or side by side', () => {
    const many = Array.from({ length: 200 }, () => '[a]').join(', ');
    expect(read(`[${many}]`)).toHaveLength(200);
    expect(read(`- ${'"["\n- '.repeat(100)}a`)).toHaveLength(101);
  });

  it.each(['[', '{a: ', '[{a: ', '- '])('refuses %j inside one another', (open) => {
    for (const times of [70, 1_000, 10_000])
      expect(() => read(`a:\n  ${open.repeat(times)}`)).toThrow(
        new YamlLimitError('must have lists and maps at most 64 deep'),
      );
  });

  it('refuses more than 60,000 tokens', () => {
    const text = '- a\n'.repeat(20_000);
    expect(isShortYaml(text)).toBe(false);
    expect(() => read(text)).toThrow(YamlLimitError);
  });

  it.each(['? ? ? a', '? [a]\n: b', `${'? '.repeat(100)}a`, '{{a: b}: c}'])(
    'refuses %j, whose keys are lists or maps',
    (text) => {
      expect(() => read(text)).toThrow('a key must be a text');
    },
  );

  it('refuses a key twice in a map', () => {
    expect(() => read('a: 1\nb: 2\na: 3')).toThrow('a map has a key twice');
  });

  it('reads aliases where they are allowed, and makes at most 100 copies', () => {
    const text = 'a: &a [1]\nb: *a';
    expect(readYaml(text, { aliases: true })).toEqual({ a: [1], b: [1] });
    expect(() => read(text)).toThrow('aliases are not read');
    const bomb = `a: &a [x, x]\nb: &b [${'*a, '.repeat(60)}]\nc: [${'*b, '.repeat(60)}]`;
    expect(() => readYaml(bomb, { aliases: true })).toThrow(/alias/iu);
  });
});
